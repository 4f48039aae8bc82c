//! Between an endpoint and a MAC: the shortest frame, and what becomes of frames that wait until they are whole.
//!
//! Spec: ready for a wire, "On the board".

use std::collections::VecDeque;

/// Bytes of the shortest frame of Ethernet without its FCS.
pub const SHORTEST: usize = 60;

/// The frame with zeros up to the shortest one of Ethernet.
pub fn padded(frame: &[u8]) -> Vec<u8> {
    let mut out = frame.to_vec();
    out.resize(out.len().max(SHORTEST), 0);
    out
}

/// Frames that wait until they are whole, in a store of so many beats. A frame leaves as a whole or is lost as a whole.
///
/// Which beat still finds room depends on when others leave: a frame that met the store with all of its beats in use may be lost or not,
/// and the model
/// adopts what was told.
#[derive(Clone, Debug)]
pub struct FrameStore<T> {
    beats: usize,
    whole: VecDeque<T>,
    coming: Vec<T>,
    /// A beat of the frame that comes cannot have found room; may not have found it.
    must_lose: bool,
    may_lose: bool,
}

impl<T> FrameStore<T> {
    /// An empty one for `beats` beats.
    pub fn new(beats: usize) -> Self {
        Self { beats, whole: VecDeque::new(), coming: Vec::new(), must_lose: false, may_lose: false }
    }

    /// A beat comes. One more than fit may be inside: it waits at the output.
    pub fn beat(&mut self, beat: T) {
        let held = self.whole.len() + self.coming.len();
        self.must_lose |= held > self.beats || self.coming.len() >= self.beats;
        self.may_lose |= held >= self.beats;
        self.coming.push(beat);
    }

    /// The frame that comes has ended; the store has told that it was lost for want of room.
    ///
    /// # Errors
    /// It cannot have been, or must have been.
    pub fn end(&mut self, lost: bool) -> Result<(), String> {
        let (must, may) = (std::mem::take(&mut self.must_lose), std::mem::take(&mut self.may_lose));
        let frame = std::mem::take(&mut self.coming);
        match lost {
            false if must => Err(format!("a frame of {} beats was kept that found no room", frame.len())),
            true if !may => Err(format!("a frame of {} beats was lost that had room", frame.len())),
            true => Ok(()),
            false => {
                self.whole.extend(frame);
                Ok(())
            }
        }
    }

    /// What has come of a frame is thrown away.
    pub fn cut(&mut self) {
        self.coming.clear();
        (self.must_lose, self.may_lose) = (false, false);
    }

    /// The next beat that leaves.
    pub fn front(&self) -> Option<&T> {
        self.whole.front()
    }

    /// It has left.
    pub fn pop(&mut self) -> Option<T> {
        self.whole.pop_front()
    }

    /// Beats inside, of whole frames and of the one that comes.
    pub fn held(&self) -> usize {
        self.whole.len() + self.coming.len()
    }

    /// Beats of whole frames.
    pub fn whole(&self) -> usize {
        self.whole.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_is_kept_or_lost_as_a_whole() {
        let mut store = FrameStore::new(4);
        (0..3).for_each(|beat| store.beat(beat));
        assert_eq!((store.front(), store.held(), store.whole()), (None, 3, 0));
        assert!(store.clone().end(true).unwrap_err().contains("lost that had room"));
        store.end(false).unwrap();
        // The first of three waits at the output or in the store: the second beat of this frame may find room or not.
        (3..5).for_each(|beat| store.beat(beat));
        let mut lost = store.clone();
        lost.end(true).unwrap();
        assert_eq!((lost.pop(), lost.held()), (Some(0), 2));
        store.end(false).unwrap();
        assert_eq!(store.held(), 5);
        store.beat(5);
        assert!(store.clone().end(false).unwrap_err().contains("found no room"));
        store.cut();
        assert_eq!((store.pop(), store.held()), (Some(0), 4));
        store.cut();
        assert_eq!((0..5).map(|_| store.pop()).collect::<Vec<_>>(), [Some(1), Some(2), Some(3), Some(4), None]);
    }

    #[test]
    fn a_frame_that_is_longer_than_the_store_is_lost() {
        let mut store = FrameStore::new(4);
        (0..5).for_each(|beat| store.beat(beat));
        assert!(store.end(false).is_err());
    }

    #[test]
    fn the_shortest_frame() {
        assert_eq!(padded(&[1; 59]), [&[1; 59][..], &[0]].concat());
        assert_eq!(padded(&[1; 60]), [1; 60]);
        assert_eq!(padded(&[1; 61]), [1; 61]);
    }
}
