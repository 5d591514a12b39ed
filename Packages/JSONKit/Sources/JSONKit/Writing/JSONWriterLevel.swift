/// The containers that are being written.
struct JSONWriterLevels {
    /// The innermost container; an empty one outside the root.
    var innermost = JSONWriterLevel([])
    /// The containers around it, the outermost first.
    private var outer: [JSONWriterLevel] = []
    /// Members in another order than that of their object, kept while they are written.
    private var arranged: [[JSONObject.Entry]] = []

    /// The number of containers.
    private(set) var depth = 0

    /// The path of the value that is being written.
    var path: JSONPath { JSONPath(depth > 0 ? (outer + [innermost]).map(\.step) : []) }

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
        if depth > 0 { innermost = outer.removeLast() }
    }

    /// Puts the innermost container aside.
    @inline(__always)
    private mutating func enter() {
        if depth > 0 {
            if depth == 1 { outer.reserveCapacity(8) }
            outer.append(innermost)
        }
        depth += 1
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
