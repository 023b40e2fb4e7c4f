//! Pairs the elements of two sequences whose order does not count.

/// The partner of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partner {
    /// Its position in the other sequence.
    pub(super) position: usize,
    /// Whether no other pairing of all elements gives a partner with another value.
    pub(super) is_certain: bool,
}

impl Partner {
    /// The only possible partner.
    pub(super) fn certain(position: usize) -> Partner {
        Partner { position, is_certain: true }
    }
}

/// The elements that each element of one sequence may be paired with, and how they are compared.
pub(super) struct PairingCandidates<'c> {
    /// For each element, the positions of those in the other sequence.
    pub(super) positions: Vec<Vec<usize>>,
    /// Whether two elements of the other sequence have one value.
    pub(super) is_identical: &'c dyn Fn(usize, usize) -> bool,
    /// Counts a step. False if no steps are left.
    pub(super) has_step: &'c dyn Fn() -> bool,
}

impl PairingCandidates<'_> {
    /// A partner for each element, all of them different; none if there is no such pairing, or no time to find it.
    pub(super) fn pairing(&self) -> Option<Vec<Partner>> {
        let length = self.positions.len();
        let mut pairs = Pairs { partners: vec![None; length], owners: vec![None; length] };
        for one in 0..length {
            self.add(one, &mut pairs)?;
        }
        let mut takers: Vec<Vec<usize>> = vec![Vec::new(); length];
        for (one, positions) in self.positions.iter().enumerate() {
            for at in positions {
                takers.get_mut(*at)?.push(one);
            }
        }
        let found = pairs.partners.iter().enumerate();
        let partner = |(one, position): (usize, &Option<usize>)| {
            let position = (*position)?;
            let is_certain = self.is_certain(one, position, Ring { pairs: &pairs, takers: &takers });
            Some(Partner { position, is_certain: is_certain.unwrap_or(false) })
        };
        found.map(partner).collect()
    }

    /// Finds a partner for one more element. Others may get another partner for that.
    fn add(&self, one: usize, pairs: &mut Pairs) -> Option<()> {
        let mut reached: Vec<Option<usize>> = vec![None; self.positions.len()];
        let (mut queue, mut next) = (vec![one], 0);
        loop {
            let current = *queue.get(next)?;
            next += 1;
            for at in self.positions.get(current)? {
                if !(self.has_step)() {
                    return None;
                }
                if reached.get(*at)?.is_some() {
                    continue;
                }
                *reached.get_mut(*at)? = Some(current);
                match pairs.owners.get(*at)? {
                    Some(owner) => queue.push(*owner),
                    None => return pairs.hand_on(*at, &reached),
                }
            }
        }
    }

    /// Whether an element has partners of the same value in all pairings. Another one is possible if its owner can take the place of
    /// the next, and so on until one of them takes the partner of the element.
    fn is_certain(&self, one: usize, position: usize, ring: Ring<'_>) -> Option<bool> {
        let mut may_yield = vec![false; self.positions.len()];
        let mut left = vec![position];
        while let Some(at) = left.pop() {
            for taker in ring.takers.get(at)? {
                if !(self.has_step)() {
                    return None;
                }
                if !std::mem::replace(may_yield.get_mut(*taker)?, true) {
                    left.extend(ring.pairs.partners.get(*taker)?);
                }
            }
        }
        let is_other = |at: &&usize| {
            let owner = ring.pairs.owners.get(**at).copied().flatten();
            owner.is_some_and(|owner| may_yield.get(owner) == Some(&true))
        };
        let mut others = self.positions.get(one)?.iter().filter(is_other);
        Some(others.all(|at| *at == position || (self.is_identical)(*at, position)))
    }
}

/// A pairing, and the elements that may take each partner.
#[derive(Clone, Copy)]
struct Ring<'r> {
    pairs: &'r Pairs,
    takers: &'r [Vec<usize>],
}

/// The pairs so far, from both sides.
struct Pairs {
    partners: Vec<Option<usize>>,
    owners: Vec<Option<usize>>,
}

impl Pairs {
    /// Gives a free partner to the element from which it was reached, and the former partner of that one to the next.
    fn hand_on(&mut self, free: usize, reached: &[Option<usize>]) -> Option<()> {
        let mut free = Some(free);
        while let Some(at) = free {
            let taker = (*reached.get(at)?)?;
            free = self.partners.get_mut(taker)?.replace(at);
            *self.owners.get_mut(at)? = Some(taker);
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The partners with these candidates, where the elements with one value of `values` are identical.
    fn pairing(positions: &[&[usize]], values: &[u8]) -> Option<Vec<(usize, bool)>> {
        let candidates = PairingCandidates {
            positions: positions.iter().map(|all| all.to_vec()).collect(),
            is_identical: &|one, other| values[one] == values[other],
            has_step: &|| true,
        };
        let partners = candidates.pairing()?;
        Some(partners.iter().map(|partner| (partner.position, partner.is_certain)).collect())
    }

    #[test]
    fn an_element_yields_its_partner_to_one_that_has_no_other() {
        assert_eq!(pairing(&[&[0, 1], &[0]], &[1, 2]), Some(vec![(1, true), (0, true)]));
        assert_eq!(
            pairing(&[&[0, 1], &[0, 2], &[0]], &[1, 2, 3]),
            Some(vec![(1, true), (2, true), (0, true)])
        );
        assert_eq!(pairing(&[&[0], &[0]], &[1, 1]), None);
        assert_eq!(pairing(&[&[], &[0]], &[1, 1]), None);
    }

    #[test]
    fn a_partner_is_uncertain_where_another_pairing_has_another_value() {
        assert_eq!(pairing(&[&[0, 1], &[0, 1]], &[1, 2]), Some(vec![(0, false), (1, false)]));
        assert_eq!(pairing(&[&[0, 1], &[0, 1]], &[1, 1]), Some(vec![(0, true), (1, true)]));
        let ring: [&[usize]; 4] = [&[0, 1], &[1, 2], &[2, 0], &[3, 0]];
        let found = pairing(&ring, &[1, 2, 3, 4]).unwrap();
        assert_eq!(
            found.iter().map(|(_, is_certain)| *is_certain).collect::<Vec<_>>(),
            [false, false, false, true]
        );
    }

    #[test]
    fn without_steps_there_is_no_pairing() {
        let candidates =
            PairingCandidates { positions: vec![vec![0]], is_identical: &|_, _| true, has_step: &|| false };
        assert_eq!(candidates.pairing(), None);
    }
}
