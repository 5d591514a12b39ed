/// The containers around the one that is being written.
@safe
struct JSONWriterLevels: ~Copyable {
    /// The containers, the outermost first, and room for more.
    private var outer: UnsafeMutableBufferPointer<JSONWriterLevel>
    /// Indicates room that was handed in, and is not to be freed.
    private var isBorrowed = true
    /// Members in another order than that of their object, kept while they are written.
    private var arranged: [[JSONObject.Entry]] = []

    /// The number of containers that are being written: the first of those around is what the root stands in.
    private(set) var depth = 0

    /// Begins with room that outlives the levels.
    init(_ room: UnsafeMutableBufferPointer<JSONWriterLevel>) {
        unsafe outer = room
    }

    deinit {
        if !isBorrowed { unsafe outer.deallocate() }
    }

    /// The path of the value that is being written in a container.
    func path(in innermost: JSONWriterLevel) -> JSONPath {
        guard depth > 0 else { return JSONPath() }
        return JSONPath((1..<depth).map { unsafe outer[$0].step } + [innermost.step])
    }

    /// The members of an object, in another order if there is one; nil without members.
    @inline(__always)
    mutating func level(of object: JSONObject, arranged members: [JSONObject.Entry]?) -> JSONWriterLevel? {
        guard let members else { return object.withMembers { JSONWriterLevel($0, isArranged: false) } }
        guard let level = JSONWriterLevel(members, isArranged: true) else { return nil }
        arranged.append(members)
        return level
    }

    /// The container around one that is written.
    @inline(__always)
    mutating func leave(_ level: JSONWriterLevel) -> JSONWriterLevel {
        if level.isArranged { arranged.removeLast() }
        depth &-= 1
        return unsafe outer[depth]
    }

    /// Puts a container aside for one inside it.
    @inline(__always)
    mutating func putAside(_ level: JSONWriterLevel) {
        if unsafe depth == outer.count { makeRoom() }
        unsafe outer[depth] = level
        depth &+= 1
    }

    @inline(never)
    private mutating func makeRoom() {
        let larger = unsafe UnsafeMutableBufferPointer<JSONWriterLevel>.allocate(capacity: 2 * outer.count)
        _ = unsafe larger.update(fromContentsOf: outer)
        if !isBorrowed { unsafe outer.deallocate() }
        unsafe outer = larger
        isBorrowed = false
    }
}

/// A container that is being written.
@safe
struct JSONWriterLevel {
    /// The first value, and the one that is written next.
    private let first: UnsafeRawPointer
    private var next: UnsafeRawPointer
    /// The place of a value after the last.
    private let end: UnsafeRawPointer
    let isObject: Bool
    /// Indicates members in another order than that of their object.
    let isArranged: Bool

    /// The offset of the value in a member, which is stored there.
    private static var valueOffset: Int {
        @inline(__always) get { MemoryLayout<JSONObject.Entry>.offset(of: \.value) ?? 0 }
    }

    /// A value that is not in a container.
    @inline(__always)
    init(root: UnsafePointer<JSONValue>) {
        unsafe self.init(first: UnsafeRawPointer(root), count: 1, isObject: false, isArranged: false)
    }

    /// The elements of an array; nil if there are none.
    @inline(__always)
    init?(_ elements: [JSONValue]) {
        guard !elements.isEmpty, let first = unsafe elements.withUnsafeBytes({ $0.baseAddress }) else { return nil }
        unsafe self.init(first: first, count: elements.count, isObject: false, isArranged: false)
    }

    /// The members of an object; nil if there are none.
    @inline(__always)
    init?(_ members: [JSONObject.Entry], isArranged: Bool) {
        guard !members.isEmpty, let first = unsafe members.withUnsafeBytes({ $0.baseAddress }) else { return nil }
        unsafe self.init(first: first + Self.valueOffset, count: members.count, isObject: true, isArranged: isArranged)
    }

    @inline(__always)
    private init(first: UnsafeRawPointer, count: Int, isObject: Bool, isArranged: Bool) {
        unsafe self.first = first
        unsafe next = first
        self.isObject = isObject
        self.isArranged = isArranged
        unsafe end = first + count &* Self.stride(isObject)
    }

    @inline(__always)
    private static func stride(_ isObject: Bool) -> Int {
        isObject ? MemoryLayout<JSONObject.Entry>.stride : MemoryLayout<JSONValue>.stride
    }

    /// Indicates that all values are written.
    @inline(__always)
    var isAtEnd: Bool { unsafe next == end }

    /// The value that is written next.
    @inline(__always)
    var nextValue: UnsafePointer<Borrowed<JSONValue>> { unsafe next.assumingMemoryBound(to: Borrowed<JSONValue>.self) }

    /// The member that is written next, if it is an object.
    @inline(__always)
    var nextMember: UnsafePointer<Borrowed<JSONObject.Entry>> {
        unsafe (next - Self.valueOffset).assumingMemoryBound(to: Borrowed<JSONObject.Entry>.self)
    }

    /// Goes on to the next value.
    @inline(__always)
    mutating func advance() { unsafe next += Self.stride(isObject) }

    /// The step to the value before the one that is written next.
    var step: JSONPath.Component {
        let index = unsafe (next - first) / Self.stride(isObject) - 1
        guard isObject else { return .index(index) }
        let name = unsafe first - Self.valueOffset + index * Self.stride(isObject)
        return .name(unsafe name.assumingMemoryBound(to: Borrowed<JSONObject.Entry>.self).pointee.value.name)
    }
}

/// A value that is looked at where it stands: what is noncopyable is lent, never retained.
///
/// It has the layout of its only property, so that memory of the one can be read as memory of the other.
struct Borrowed<Value>: ~Copyable {
    let value: Value
}
