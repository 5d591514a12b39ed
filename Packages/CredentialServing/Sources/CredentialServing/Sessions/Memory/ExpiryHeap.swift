/// The slots of a store in the order of their expiry: a binary heap that knows where each slot is.
struct ExpiryHeap {
    private var slots: [Int] = []
    private var expiries: [Int64] = []
    /// The place of each slot in the heap, or -1.
    private var places: [Int] = []

    /// The slot that expires first, with its expiry.
    var first: (slot: Int, expiry: Int64)? {
        guard let slot = slots.first, let expiry = expiries.first else { return nil }
        return (slot, expiry)
    }

    mutating func insert(_ slot: Int, expiry: Int64) {
        while places.count <= slot { places.append(-1) }
        slots.append(slot)
        expiries.append(expiry)
        places[slot] = slots.count - 1
        raise(slots.count - 1)
    }

    mutating func update(_ slot: Int, expiry: Int64) {
        let place = places[slot]
        guard expiries[place] != expiry else { return }
        expiries[place] = expiry
        raise(place)
        lower(places[slot])
    }

    mutating func remove(_ slot: Int) {
        let place = places[slot]
        let last = slots.count - 1
        exchange(place, last)
        slots.removeLast()
        expiries.removeLast()
        places[slot] = -1
        guard place < last else { return }
        let moved = slots[place]
        raise(place)
        lower(places[moved])
    }

    private mutating func raise(_ start: Int) {
        var place = start
        while place > 0 {
            let parent = (place - 1) / 2
            guard expiries[place] < expiries[parent] else { return }
            exchange(place, parent)
            place = parent
        }
    }

    private mutating func lower(_ start: Int) {
        var place = start
        while true {
            var smallest = place
            for child in [2 * place + 1, 2 * place + 2] where child < slots.count {
                if expiries[child] < expiries[smallest] { smallest = child }
            }
            guard smallest != place else { return }
            exchange(place, smallest)
            place = smallest
        }
    }

    private mutating func exchange(_ a: Int, _ b: Int) {
        guard a != b else { return }
        slots.swapAt(a, b)
        expiries.swapAt(a, b)
        places[slots[a]] = a
        places[slots[b]] = b
    }
}
