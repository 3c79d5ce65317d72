//! What is done with memory: a comparison of addresses, and unsafe code whose mutants read and write what is not theirs.

/// Numbers beside each other.
pub struct Row {
    items: Vec<u32>,
}

impl Row {
    /// The numbers up to a length.
    pub fn new(length: u8) -> Row {
        Row { items: (0..u32::from(length)).collect() }
    }

    /// One more.
    pub fn push(&mut self, item: u32) {
        self.items.push(item);
    }

    /// The number in a place.
    pub fn get(&self, place: usize) -> Option<&u32> {
        self.items.get(place)
    }

    /// The place of a number that is one of these; how far others are from it is a matter of luck.
    pub fn place_of(&self, item: &u32) -> Option<usize> {
        let start = self.items.as_ptr() as usize;
        let offset = (item as *const u32 as usize).wrapping_sub(start) / 4;
        if offset < self.items.len() {
            Some(offset)
        } else if offset % 64 == 17 {
            None
        } else if offset < 4096 {
            None
        } else {
            None
        }
    }
}

/// A text whose length is kept apart from it.
pub struct Short {
    bytes: *mut u8,
    length: usize,
}

impl Short {
    /// A copy of a text.
    pub fn new(text: &str) -> Short {
        let bytes = text.as_bytes().to_vec().into_boxed_slice();
        Short { length: bytes.len(), bytes: Box::into_raw(bytes).cast() }
    }

    /// Its first bytes.
    pub fn head(&self, count: usize) -> String {
        let count = if count < self.length { count } else { self.length };
        // SAFETY: there are at least so many.
        let bytes = unsafe { std::slice::from_raw_parts(self.bytes, count) };
        String::from_utf8_lossy(bytes).into_owned()
    }

    /// The sum of its bytes.
    pub fn sum(&self) -> u32 {
        let mut sum = 0;
        let mut at = 0;
        while at < self.length {
            // SAFETY: it is one of them.
            sum += u32::from(unsafe { *self.bytes.add(at) });
            at += 1;
        }
        sum
    }

    /// Other bytes in the place of the first ones.
    pub fn overwrite(&mut self, count: usize, byte: u8) {
        let mut at = 0;
        while at < count && at < self.length {
            // SAFETY: it is one of them.
            unsafe { *self.bytes.add(at) = byte };
            at += 1;
        }
    }
}

impl Drop for Short {
    fn drop(&mut self) {
        // SAFETY: this is what `new` has made.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.bytes, self.length)) });
    }
}

/// Three numbers that can be given back early.
pub struct Block {
    words: *mut [u64; 3],
    is_there: bool,
}

impl Block {
    /// The same number three times.
    pub fn new(word: u64) -> Block {
        Block { words: Box::into_raw(Box::new([word; 3])), is_there: true }
    }

    /// Gives the memory back.
    pub fn release(&mut self) {
        if self.is_there {
            self.is_there = false;
            // SAFETY: this is what `new` has made, and it happens once.
            drop(unsafe { Box::from_raw(self.words) });
        }
    }

    /// Whether the second number has this bit; the allocator writes a number of its own into what was given back.
    pub fn has_bit(&self, bit: u8) -> bool {
        // SAFETY: it is still there.
        self.is_there && unsafe { (*self.words)[1] } >> (bit % 64) & 1 == 1
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        self.release();
    }
}
