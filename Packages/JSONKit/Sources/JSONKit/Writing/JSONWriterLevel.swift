/// The containers that are being written.
struct JSONWriterLevels {
    /// The innermost container; an empty one around the root.
    var innermost = JSONWriterLevel([])
    /// The containers around it, the outermost first, after the one around the root.
    private var outer: [JSONWriterLevel] = []
    /// Members in another order than that of their object, kept while they are written.
    private var arranged: [[JSONObject.Entry]] = []

    /// The number of containers.
    var depth: Int { outer.count }

    /// The path of the value that is being written.
    var path: JSONPath { JSONPath((outer.dropFirst() + [innermost]).map(\.step)) }

    @inline(__always)
    mutating func enter(_ elements: [JSONValue]) {
        outer.append(innermost)
        innermost = JSONWriterLevel(elements)
    }

    @inline(__always)
    mutating func enter(_ object: JSONObject, arranged members: [JSONObject.Entry]?) {
        outer.append(innermost)
        if let members { arranged.append(members) }
        innermost = JSONWriterLevel(members ?? object.members, isArranged: members != nil)
    }

    @inline(__always)
    mutating func leave() {
        if innermost.isArranged { arranged.removeLast() }
        innermost = outer.removeLast()
    }
}

/// A container that is being written.
@safe
struct JSONWriterLevel {
    /// The elements of an array.
    let elements: UnsafeBufferPointer<Borrowed<JSONValue>>
    /// The members of an object.
    let members: UnsafeBufferPointer<Borrowed<JSONObject.Entry>>
    let isObject: Bool
    let count: Int
    /// Indicates members in another order than that of their object.
    let isArranged: Bool
    /// The position of what is written next.
    var next = 0

    @inline(__always)
    init(_ array: [JSONValue]) {
        unsafe elements = array.borrowedElements
        unsafe members = UnsafeBufferPointer(start: nil, count: 0)
        isObject = false
        count = array.count
        isArranged = false
    }

    @inline(__always)
    init(_ members: [JSONObject.Entry], isArranged: Bool) {
        unsafe elements = UnsafeBufferPointer(start: nil, count: 0)
        unsafe self.members = members.borrowedElements
        isObject = true
        count = members.count
        self.isArranged = isArranged
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

extension Array {
    /// The elements where they stand, as long as the array is kept and not changed.
    @inline(__always)
    fileprivate var borrowedElements: UnsafeBufferPointer<Borrowed<Element>> {
        unsafe withUnsafeBufferPointer {
            unsafe UnsafeBufferPointer(
                start: UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: Borrowed<Element>.self),
                count: $0.count
            )
        }
    }
}
