import Synchronization

/// The place of every item in the item around it.
///
/// The table is made when the first path is asked for. The paths to many items then cost one pass over the index, and a
/// few looks for each step: a forged message cannot make every path cost a walk past all siblings.
@safe
struct TapePlaces: ~Copyable {
    private let table = unsafe Atomic<UnsafeMutablePointer<Place>?>(nil)
    /// The number of places written and looked up.
    private let work = Atomic<Int>(0)

    /// The place of one item.
    private struct Place {
        /// The entry of the item around it.
        var parent: UInt32 = 0
        /// The number of items before it there; 0 for a break.
        var index: UInt32 = 0
    }

    deinit {
        unsafe HeapMemory.deallocate(table.load(ordering: .acquiring))
    }

    /// The number of entries touched for paths so far, by which tests hold the cost.
    var entriesTouched: Int { work.load(ordering: .relaxed) }

    /// The steps from the root to an item.
    func steps(to target: Int, in contents: TapeContents) -> [CBORPath.Step] {
        guard target > 0 else { return [] }
        let places = unsafe table(of: contents)
        var steps: [CBORPath.Step] = []
        var looks = 0
        var child = target
        while child > 0 {
            let place = unsafe places[child]
            let parent = Int(place.parent)
            // In a map, what ends right before a value is its key.
            var key = child - 1
            if contents.head(of: parent).major == 5, place.index % 2 == 1 {
                while true {
                    let enclosing = unsafe Int(places[key].parent)
                    if enclosing == parent { break }
                    key = enclosing
                    looks += 1
                }
            }
            steps.append(contents.step(from: parent, toChild: Int(place.index), after: key))
            child = parent
            looks += 1
        }
        work.add(looks, ordering: .relaxed)
        return steps.reversed()
    }

    /// The table, made unless it is there.
    private func table(of contents: TapeContents) -> UnsafeMutablePointer<Place> {
        if let table = unsafe table.load(ordering: .acquiring) { return unsafe table }
        let size = contents.count * MemoryLayout<Place>.stride
        let memory = unsafe HeapMemory.allocate(byteCount: size)
        let made = unsafe memory.bindMemory(to: Place.self, capacity: contents.count)
        unsafe made.initialize(repeating: Place(), count: contents.count)
        for parent in 0..<contents.count {
            let children = contents.children(of: parent)
            // The break of an indefinite length, if there is one, comes last.
            if children.end > parent, children.end < contents.next(after: parent) {
                unsafe made[children.end].parent = UInt32(parent)
            }
            for (index, child) in children.enumerated() {
                unsafe made[child] = Place(parent: UInt32(parent), index: UInt32(index))
            }
        }
        work.add(contents.count, ordering: .relaxed)
        let (isOurs, other) = unsafe table.compareExchange(
            expected: nil,
            desired: made,
            ordering: .acquiringAndReleasing
        )
        guard !isOurs, let other = unsafe other else { return unsafe made }
        // Another task was faster.
        unsafe HeapMemory.deallocate(memory)
        return unsafe other
    }
}
