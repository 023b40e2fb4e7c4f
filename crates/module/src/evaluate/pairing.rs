//! Pairs the elements of two sequences whose order does not count: planned elements with recorded or given ones.

use crate::model::ids::{Arena, Id as _};

/// The element of the other sequence that an element is paired with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partner {
    /// Its position in the other sequence.
    pub(super) position: usize,
    /// Whether the partner has this value in every complete pairing.
    pub(super) is_certain: bool,
}

impl Partner {
    /// Returns the partner of an element that cannot have another one.
    pub(super) fn certain(position: usize) -> Partner {
        Partner { position, is_certain: true }
    }
}

/// The elements with which each element of a sequence may be paired, and how they are compared.
pub(super) struct PairingCandidates<'c> {
    /// For each element, the positions of its candidates in the other sequence.
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
    /// Pairs each element with a partner of its own; `None` if there is no such pairing, or not
    /// enough steps to find it.
    pub(super) fn pairing(&self) -> Option<Vec<Partner>> {
        let mut pairing = self.unpaired()?;
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

    /// Pairs as many elements as possible with a partner of their own, or fewer if there are not enough steps. Returns the
    /// positions of the partners.
    pub(super) fn most(&self) -> Vec<Option<usize>> {
        let Some(mut pairing) = self.unpaired() else { return vec![None; self.positions.len()] };
        for element in pairing.candidates.ids() {
            // An element without a partner leaves the others as they are.
            _ = pairing.add(element);
        }
        pairing.partners.iter().map(|partner| partner.map(|partner| partner.index())).collect()
    }

    /// Returns the pairing without any pair.
    fn unpaired(&self) -> Option<Pairing<'_>> {
        let length = self.positions.iter().flatten().max().map_or(0, |last| last.saturating_add(1));
        let owners: Arena<PartnerId, Option<ElementId>> = (0..length).map(|_| None).collect();
        let candidates = |positions: &Vec<usize>| positions.iter().map(|at| owners.ids().nth(*at)).collect();
        let candidates: Arena<ElementId, Vec<PartnerId>> =
            self.positions.iter().map(candidates).collect::<Option<_>>()?;
        let partners = candidates.iter().map(|_| None).collect();
        Some(Pairing { candidates, partners, owners, has_step: self.has_step })
    }
}

/// A pairing of some of the elements, which grows by one element at a time.
struct Pairing<'c> {
    candidates: Arena<ElementId, Vec<PartnerId>>,
    partners: Arena<ElementId, Option<PartnerId>>,
    owners: Arena<PartnerId, Option<ElementId>>,
    /// Counts a step. False if no steps are left.
    has_step: &'c dyn Fn() -> bool,
}

impl Pairing<'_> {
    /// Finds a partner for one more element. Elements paired before may get another partner for that.
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

    /// Gives the free partner to the element that reached it, that element's former partner to the
    /// element before, and so on.
    fn hand_on(&mut self, free: PartnerId, reached: &Arena<PartnerId, Option<ElementId>>) -> Option<()> {
        let mut free = Some(free);
        while let Some(partner) = free {
            let element = reached[partner]?;
            free = self.partners[element].replace(partner);
            self.owners[partner] = Some(element);
        }
        Some(())
    }

    /// Returns, for each partner, the elements that may take it.
    fn takers(&self) -> Arena<PartnerId, Vec<ElementId>> {
        let mut takers: Arena<PartnerId, Vec<ElementId>> = self.owners.iter().map(|_| Vec::new()).collect();
        for (element, partners) in self.candidates.enumerate() {
            for partner in partners {
                takers[*partner].push(element);
            }
        }
        takers
    }

    /// Whether an element has partners of the same value in all pairings. Another partner is possible if its owner
    /// can take the partner of a further element, and so on, until one of them takes the partner of this element.
    /// `None` if no steps are left.
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
        let mut candidates = self.candidates[element].iter().filter(is_other);
        Some(candidates.all(|partner| *partner == own || is_identical(*partner)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the partners for these candidates. Elements of the other sequence with the same value
    /// in `values` are identical.
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
    fn as_many_elements_as_possible_have_a_partner() {
        let most = |positions: &[&[usize]]| {
            let positions = positions.iter().map(|all| all.to_vec()).collect();
            PairingCandidates { positions, is_identical: &|_, _| true, has_step: &|| true }.most()
        };
        assert_eq!(most(&[&[], &[0, 1], &[0, 1]]), [None, Some(0), Some(1)]);
        assert_eq!(most(&[&[0], &[0], &[2]]), [Some(0), None, Some(2)]);
        assert_eq!(most(&[&[0, 1], &[0]]), [Some(1), Some(0)]);
        assert_eq!(most(&[&[], &[]]), [None, None]);
    }

    #[test]
    fn without_steps_there_is_no_pairing() {
        let candidates =
            PairingCandidates { positions: vec![vec![0]], is_identical: &|_, _| true, has_step: &|| false };
        assert_eq!(candidates.pairing(), None);
    }
}
