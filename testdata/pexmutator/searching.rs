//! Searches in lists: one by one, and with what is found moving to the front.

/// The place of an item; -1 where it is not there.
pub fn sequential_search(list: &[i32], item: i32) -> i32 {
    let mut place = 0;
    while place < list.len() && list[place] != item {
        place += 1;
    }
    if place < list.len() && list[place] == item {
        return place as i32;
    }
    -1
}

/// Searches from both ends at once. An item that is found changes places with the one before it, so that the next search
/// comes there sooner. Returns the new list, and whether the item is in it.
pub fn probability_search(mut list: Vec<i32>, item: i32) -> (Vec<i32>, bool) {
    if list.is_empty() {
        return (list, false);
    }
    let (mut front, mut back) = (0, list.len() - 1);
    while front <= back {
        let place = if list[front] == item {
            front
        } else if list[back] == item {
            back
        } else {
            if back == 0 {
                break;
            }
            front += 1;
            back -= 1;
            continue;
        };
        if place > 0 {
            list.swap(place - 1, place);
        }
        return (list, true);
    }
    (list, false)
}
