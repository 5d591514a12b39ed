/// The containers that are being written.
@safe
struct JSONWriterLevels: ~Copyable {
    /// The innermost container; an empty one outside the root.
    var innermost = JSONWriterLevel([])
    /// The containers around it, the outermost first, and room for more.
    private var outer = unsafe UnsafeMutableBufferPointer<JSONWriterLevel>(start: nil, count: 0)
    /// Members in another order than that of their object, kept while they are written.
    private var arranged: [[JSONObject.Entry]] = []

    /// The number of containers.
    private(set) var depth = 0

    deinit {
        unsafe outer.deallocate()
    }

    /// The path of the value that is being written.
    var path: JSONPath {
        guard depth > 0 else { return JSONPath() }
        return JSONPath((0..<depth - 1).map { unsafe outer[$0].step } + [innermost.step])
    }

    @inline(__always)
    mutating func enter(_ elements: [JSONValue]) {
        enter()
        innermost = JSONWriterLevel(elements)
    }

    @inline(__always)
    mutating func enter(_ object: JSONObject, arranged members: [JSONObject.Entry]?) {
        enter()
        guard let members else {
            innermost = object.withMembers { JSONWriterLevel($0, isArranged: false) }
            return
        }
        arranged.append(members)
        innermost = JSONWriterLevel(members, isArranged: true)
    }

    @inline(__always)
    mutating func leave() {
        if innermost.isArranged { arranged.removeLast() }
        depth -= 1
        if depth > 0 { unsafe innermost = outer[depth - 1] }
    }

    /// Puts the innermost container aside.
    @inline(__always)
    private mutating func enter() {
        if depth > 0 {
            if unsafe depth > outer.count { makeRoom() }
            unsafe outer[depth - 1] = innermost
        }
        depth += 1
    }

    @inline(never)
    private mutating func makeRoom() {
        let capacity = unsafe max(8, 2 * outer.count)
        let larger = UnsafeMutableBufferPointer<JSONWriterLevel>.allocate(capacity: capacity)
        _ = unsafe larger.update(fromContentsOf: outer)
        unsafe outer.deallocate()
        unsafe outer = larger
    }
}

/// A container that is being written.
@safe
struct JSONWriterLevel {
    /// The first element or member.
    private let start: UnsafeRawPointer?
    let count: Int
    let isObject: Bool
    /// Indicates members in another order than that of their object.
    let isArranged: Bool
    /// The position of what is written next.
    var next = 0

    @inline(__always)
    init(_ array: [JSONValue]) {
        unsafe start = array.withUnsafeBufferPointer { unsafe UnsafeRawPointer($0.baseAddress) }
        count = array.count
        isObject = false
        isArranged = false
    }

    @inline(__always)
    init(_ members: [JSONObject.Entry], isArranged: Bool) {
        unsafe start = members.withUnsafeBufferPointer { unsafe UnsafeRawPointer($0.baseAddress) }
        count = members.count
        isObject = true
        self.isArranged = isArranged
    }

    /// The elements, if it is an array.
    @inline(__always)
    var elements: UnsafeBufferPointer<Borrowed<JSONValue>> {
        unsafe UnsafeBufferPointer(start: start?.assumingMemoryBound(to: Borrowed<JSONValue>.self), count: count)
    }

    /// The members, if it is an object.
    @inline(__always)
    var members: UnsafeBufferPointer<Borrowed<JSONObject.Entry>> {
        unsafe UnsafeBufferPointer(start: start?.assumingMemoryBound(to: Borrowed<JSONObject.Entry>.self), count: count)
    }

    /// The step to the value that is being written.
    var step: JSONPath.Component {
        unsafe isObject ? .name(members[next - 1].value.name) : .index(next - 1)
    }
}

/// A value that is looked at where it stands: what is noncopyable is lent, never retained.
///
/// It has the layout of its only property, so that memory of the one can be read as memory of the other.
struct Borrowed<Value>: ~Copyable {
    let value: Value
}
