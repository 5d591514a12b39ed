/// The items of a tape, in the order of the text: memory that grows while the text is read, and does not change after.
///
/// The tape frees it: a type that did so itself would keep the builder out of registers.
@safe
struct JSONTapeItems: @unchecked Sendable {
    // Sendable although it refers to memory: only the builder changes that.

    /// The number of items.
    private(set) var count = 0
    private var start: UnsafeMutablePointer<JSONTapeItem>
    private var capacity: Int

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

    @inline(__always)
    mutating func append(_ item: JSONTapeItem) {
        if count == capacity {
            unsafe start = Self.moved(start, count: count)
            capacity *= 2
        }
        unsafe start[count] = item
        count &+= 1
    }

    /// Notes the number of values so far of a container that is open.
    @inline(__always)
    mutating func note(count: UInt32, of container: Int) {
        unsafe start[container].count = count
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

    /// The number of values so far of a container that is open, and whether it is an object.
    @inline(__always)
    func open(_ container: Int) -> (count: UInt32, isObject: Bool) {
        unsafe (start[container].count, start[container].kind == .object)
    }

    /// Moves items to memory of twice the size.
    @inline(never)
    private static func moved(
        _ items: UnsafeMutablePointer<JSONTapeItem>,
        count: Int
    ) -> UnsafeMutablePointer<JSONTapeItem> {
        let larger = UnsafeMutablePointer<JSONTapeItem>.allocate(capacity: count * 2)
        unsafe larger.update(from: items, count: count)
        unsafe items.deallocate()
        return unsafe larger
    }
}
