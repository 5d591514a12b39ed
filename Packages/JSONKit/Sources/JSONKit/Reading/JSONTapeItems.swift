/// The items of a tape, in the order of the text: memory that grows while the text is read, and does not change after.
///
/// The tape frees it: a type that did so itself would keep the builder out of registers.
@safe
struct JSONTapeItems: @unchecked Sendable {
    // Sendable although it refers to memory: only the builder changes that.

    /// The number of items.
    private(set) var count = 0
    private var start: UnsafeMutablePointer<JSONTapeItem>
    /// The number of items that there is room for.
    private(set) var capacity: Int

    init(capacity: Int) {
        unsafe start = .allocate(capacity: capacity)
        self.capacity = capacity
    }

    /// Gives the memory back.
    func deallocate() {
        unsafe start.deallocate()
    }

    /// The item at an index.
    @inline(__always)
    subscript(index: Int) -> JSONTapeItem {
        precondition(UInt(bitPattern: index) < UInt(bitPattern: count), "the index is not one of the tape")
        return unsafe start[index]
    }

    /// Appends an item, for which there is room.
    @inline(__always)
    mutating func append(_ item: JSONTapeItem) {
        assert(count < capacity)
        unsafe start[count] = item
        count &+= 1
    }

    /// Keeps what is known of a container, while one that it contains is read, in the item's fields for its end.
    @inline(__always)
    mutating func suspend(_ container: Int, count: UInt32, names: JSONNameMarks) {
        let item = unsafe start + container
        unsafe item.pointee.count = count
        unsafe item.pointee.end = UInt32(truncatingIfNeeded: names.bits)
        unsafe item.pointee.next = UInt32(truncatingIfNeeded: names.bits &>> 32)
    }

    /// Completes the item of a container, whose values are all that was appended after it; the container around it.
    @inline(__always)
    mutating func complete(_ container: Int, end: UInt32, count: UInt32) -> UInt32 {
        let item = unsafe start + container
        unsafe item.pointee.end = end
        unsafe item.pointee.next = UInt32(truncatingIfNeeded: self.count)
        unsafe item.pointee.count = count
        return unsafe item.pointee.parent
    }

    /// The count and the names of an open container, as ``suspend(_:count:names:)`` kept them, and whether it is an object.
    @inline(__always)
    func resume(_ container: Int) -> (count: UInt32, names: JSONNameMarks, isObject: Bool) {
        let item = unsafe start[container]
        let names = JSONNameMarks(bits: UInt64(item.end) | UInt64(item.next) &<< 32)
        return (item.count, names, item.kind == .object)
    }

    /// The items in memory for more of them, in place of theirs.
    func moved(toRoomFor capacity: Int) -> JSONTapeItems {
        var larger = JSONTapeItems(capacity: max(capacity, count))
        unsafe larger.start.update(from: start, count: count)
        larger.count = count
        deallocate()
        return larger
    }
}
