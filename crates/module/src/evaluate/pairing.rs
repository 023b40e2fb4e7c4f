//! Pairs the elements of two sequences whose order does not count.

use crate::model::ids::{Arena, Id as _};

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

terrane_config::ids! {
    /// An element that gets a partner.
    ElementId;
    /// An element of the other sequence.
    PartnerId;
}

impl PairingCandidates<'_> {
    /// A partner for each element, all of them different; none if there is no such pairing, or no time to find it.
    pub(super) fn pairing(&self) -> Option<Vec<Partner>> {
        let owners: Arena<PartnerId, Option<ElementId>> = self.positions.iter().map(|_| None).collect();
        let candidates = |positions: &Vec<usize>| positions.iter().map(|at| owners.ids().nth(*at)).collect();
        let candidates: Arena<ElementId, Vec<PartnerId>> =
            self.positions.iter().map(candidates).collect::<Option<_>>()?;
        let partners = candidates.iter().map(|_| None).collect();
        let mut pairing = Pairing { candidates, partners, owners, has_step: self.has_step };
        for element in pairing.candidates.ids() {
            pairing.add(element)?;
        }
        let takers = pairing.takers();
        let partner = |element: ElementId| {
            let partner = pairing.partners[element]?;
            let is_identical = |other: PartnerId| (self.is_identical)(other.index(), partner.index());
            let is_certain = pairing.is_certain(element, &takers, &is_identical).unwrap_or(false);
            Some(Partner { position: partner.index(), is_certain })
        };
        pairing.candidates.ids().map(partner).collect()
    }
}

/// A pairing of some of the elements.
struct Pairing<'c> {
    candidates: Arena<ElementId, Vec<PartnerId>>,
    partners: Arena<ElementId, Option<PartnerId>>,
    owners: Arena<PartnerId, Option<ElementId>>,
    /// Counts a step. False if no steps are left.
    has_step: &'c dyn Fn() -> bool,
}

impl Pairing<'_> {
    /// Finds a partner for one more element. Others may get another partner for that.
    fn add(&mut self, element: ElementId) -> Option<()> {
        let mut reached: Arena<PartnerId, Option<ElementId>> = self.owners.iter().map(|_| None).collect();
        let (mut queue, mut next) = (vec![element], 0);
        loop {
            let current = *queue.get(next)?;
            next += 1;
            for partner in &self.candidates[current] {
                if !(self.has_step)() {
                    return None;
                }
                if reached[*partner].is_some() {
                    continue;
                }
                reached[*partner] = Some(current);
                match self.owners[*partner] {
                    Some(owner) => queue.push(owner),
                    None => return self.hand_on(*partner, &reached),
                }
            }
        }
    }

    /// Gives a free partner to the element from which it was reached, and the former partner of that one to the next.
    fn hand_on(&mut self, free: PartnerId, reached: &Arena<PartnerId, Option<ElementId>>) -> Option<()> {
        let mut free = Some(free);
        while let Some(partner) = free {
            let element = reached[partner]?;
            free = self.partners[element].replace(partner);
            self.owners[partner] = Some(element);
        }
        Some(())
    }

    /// The elements that may take each partner.
    fn takers(&self) -> Arena<PartnerId, Vec<ElementId>> {
        let mut takers: Arena<PartnerId, Vec<ElementId>> = self.owners.iter().map(|_| Vec::new()).collect();
        for (element, partners) in self.candidates.enumerate() {
            for partner in partners {
                takers[*partner].push(element);
            }
        }
        takers
    }

    /// Whether an element has partners of the same value in all pairings. Another one is possible if its owner can take the place of
    /// the next, and so on until one of them takes the partner of the element. None if no steps are left.
    fn is_certain(
        &self,
        element: ElementId,
        takers: &Arena<PartnerId, Vec<ElementId>>,
        is_identical: &dyn Fn(PartnerId) -> bool,
    ) -> Option<bool> {
        let own = self.partners[element]?;
        let mut may_yield: Arena<ElementId, bool> = self.partners.iter().map(|_| false).collect();
        let mut left = vec![own];
        while let Some(partner) = left.pop() {
            for taker in &takers[partner] {
                if !(self.has_step)() {
                    return None;
                }
                if !std::mem::replace(&mut may_yield[*taker], true) {
                    left.extend(self.partners[*taker]);
                }
            }
        }
        let is_other = |partner: &&PartnerId| self.owners[**partner].is_some_and(|owner| may_yield[owner]);
        let mut others = self.candidates[element].iter().filter(is_other);
        Some(others.all(|partner| *partner == own || is_identical(*partner)))
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
