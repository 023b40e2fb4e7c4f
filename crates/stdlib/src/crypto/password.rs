//! Digests of passwords in the `bcrypt` format.

use base64::Engine as _;
use base64::alphabet::BCRYPT;
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

/// The cost that a call without a second argument uses.
pub(super) const DEFAULT_COST: u32 = 10;

/// The cipher ignores all bytes of a password after these.
pub(super) const MAX_BYTES: usize = 72;

/// Returns the digest with its cost and salt: `$2a$10$`, 22 characters of salt, 31 characters of digest.
pub(super) fn digest(password: &str, cost: u32, salt: [u8; 16]) -> String {
    const ENGINE: GeneralPurpose = GeneralPurpose::new(&BCRYPT, NO_PAD);
    let terminated: Vec<u8> = password.bytes().chain([0]).take(MAX_BYTES).collect();
    let digest = bcrypt::bcrypt(cost, salt, &terminated);
    // All implementations omit the last of the 24 bytes, because the original did.
    let shown = digest.split_last().map_or(&[][..], |(_, shown)| shown);
    format!("$2a${cost:02}${}{}", ENGINE.encode(salt), ENGINE.encode(shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_those_of_other_programs() {
        // From the test vectors of the cipher's authors, in which the salt is "CCCCCCCCCCCCCCCCCCCCC." decoded.
        let salt = [0x10, 0x41, 0x04].into_iter().cycle().take(16).collect::<Vec<u8>>().try_into().unwrap();
        assert_eq!(digest("U*U", 5, salt), "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW");
    }
}
