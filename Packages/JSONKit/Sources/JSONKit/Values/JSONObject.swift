/// The members of a JSON object: names and values in an order, each name once.
///
/// Names are the same if their UTF-8 bytes are. Looking one up takes constant time in large objects, too. Two objects
/// are equal when they have the same members, in any order.
///
/// The members of an object that was read become values together when one of them is first looked at; see ``JSONValue``.
public struct JSONObject: Sendable {
    /// A name and its value.
    public typealias Member = (name: String, value: JSONValue)

    /// A name and its value, as it is kept: an array of these is copied and freed faster than one of tuples.
    public struct Entry: Sendable {
        /// The name.
        public let name: String
        /// The value.
        public internal(set) var value: JSONValue

        /// Makes a member.
        public init(name: String, value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members; empty as long as they are unread.
    private var ownMembers: [Entry]
    private var lookup: Lookup

    /// The way to find a member by its name.
    private enum Lookup {
        /// By a look at each of the few members.
        case scan
        /// By the position of each name.
        case positions([JSONName: Int])
        /// By the members of a text, which are not this object's own yet.
        case unread(JSONUnreadObject)

        @inline(__always)
        init(_ members: [Entry]) {
            self = members.count > JSONName.mostScanned ? .positions(JSONName.positions(of: members)) : .scan
        }
    }

    /// Makes an object without members.
    public init() {
        ownMembers = []
        lookup = .scan
    }

    /// Makes an object of members in their order; of a name that occurs twice the last value counts, at the place of
    /// the first.
    public init(_ members: some Sequence<Member>) {
        self.init()
        for (name, value) in members { self[name] = value }
    }

    /// Makes an object of members whose names the caller knows to be distinct, which nothing here checks.
    ///
    /// This takes no time for comparing names. Of a name that occurs twice all the same, the members stay, and a lookup
    /// finds one of them.
    public init(distinct members: [Entry]) {
        ownMembers = members
        lookup = Lookup(members)
    }

    /// Makes an object of a text whose members are read when one of them is asked for.
    init(unread object: JSONUnreadObject) {
        ownMembers = []
        lookup = .unread(object)
    }

    /// Indicates members of a text that are not changed.
    @inline(__always)
    var isUnread: Bool {
        if case .unread = lookup { true } else { false }
    }

    /// The members of a text that are not changed, without counting a reference to them: to do so for every look at one
    /// would cost as much as the look.
    private var unread: Unmanaged<JSONUnreadObject>? {
        @inline(__always) get {
            if case .unread(let object) = lookup { unsafe .passUnretained(object) } else { nil }
        }
    }

    /// The text that the members are of, as long as they are not changed.
    var place: (tape: JSONTape, index: Int)? {
        guard case .unread(let object) = lookup else { return nil }
        return object.place
    }

    /// Calls a closure with the members, which stay where they are as long as the object is not changed.
    @inline(__always)
    func withMembers<Result>(_ body: ([Entry]) -> Result) -> Result {
        defer { extendLifetime(self) }
        guard let object = unsafe unread else { return body(ownMembers) }
        return unsafe object._withUnsafeGuaranteedRef { $0.withMembers { body($0.members) } }
    }

    /// The members in their order.
    @inline(__always)
    var members: [Entry] { withMembers { $0 } }

    /// The names in their order.
    public var names: [String] { members.map(\.name) }

    /// The values in their order.
    public var values: [JSONValue] { members.map(\.value) }

    /// Returns `true` if there is a member with this name.
    public func contains(_ name: String) -> Bool { position(of: name) != nil }

    /// The value of the member with this name, or nil if absent.
    ///
    /// Setting a value replaces that of the member or appends one; setting nil removes the member. Removing takes time
    /// in proportion to the number of members.
    public subscript(name: String) -> JSONValue? {
        get {
            defer { extendLifetime(self) }
            if let object = unsafe unread { return unsafe object._withUnsafeGuaranteedRef { $0.value(of: name) } }
            guard let position = position(of: name) else { return nil }
            return ownMembers[position].value
        }
        set {
            ownContent()
            switch (position(of: name), newValue) {
            case (let position?, let value?): ownMembers[position].value = value
            case (let position?, nil): remove(at: position)
            case (nil, let value?): append(name, value)
            case (nil, nil): break
            }
        }
    }

    /// Removes the member with this name, and returns its value; nil if absent.
    @discardableResult
    public mutating func removeValue(forName name: String) -> JSONValue? {
        let value = self[name]
        self[name] = nil
        return value
    }

    /// The position of the member with this name, counted from 0, or nil if absent.
    public func position(of name: String) -> Int? {
        switch lookup {
        case .scan: Self.scan(ownMembers, for: name)
        case .positions(let positions): positions[JSONName(name)]
        case .unread(let object): object.withMembers { $0.position(of: name) }
        }
    }

    /// The position of a name among a few members.
    static func scan(_ members: [Entry], for name: String) -> Int? {
        let length = name.utf8.count
        for position in 0..<members.count
        where members[position].name.utf8.count == length && JSONName(members[position].name) == JSONName(name) {
            return position
        }
        return nil
    }

    /// Takes over the members of a text, which other values may share.
    private mutating func ownContent() {
        guard case .unread(let object) = lookup else { return }
        (ownMembers, lookup) = object.withMembers {
            ($0.members, $0.positions.map { .positions($0) } ?? .scan)
        }
    }

    private mutating func append(_ name: String, _ value: JSONValue) {
        ownMembers.append(Entry(name: name, value: value))
        guard case .positions(var positions) = lookup else {
            if ownMembers.count > JSONName.mostScanned { lookup = Lookup(ownMembers) }
            return
        }
        // The dictionary has one owner while it changes.
        lookup = .scan
        positions[JSONName(name)] = ownMembers.count - 1
        lookup = .positions(positions)
    }

    private mutating func remove(at position: Int) {
        ownMembers.remove(at: position)
        lookup = Lookup(ownMembers)
    }
}

extension JSONObject: RandomAccessCollection {
    /// The position of the first member.
    public var startIndex: Int { 0 }
    /// The position after the last member.
    public var endIndex: Int {
        guard case .unread(let object) = lookup else { return ownMembers.count }
        return object.count
    }

    /// The member at a position, counted from 0; it must be one of the object's.
    public subscript(position: Int) -> Member {
        withMembers { ($0[position].name, $0[position].value) }
    }
}

extension JSONObject {
    /// Goes through the members in their order.
    public func makeIterator() -> Iterator { Iterator(entries: members.makeIterator()) }

    /// Goes through the members of an object.
    public struct Iterator: IteratorProtocol, Sendable {
        fileprivate var entries: IndexingIterator<[Entry]>

        /// The next member, or nil after the last.
        public mutating func next() -> Member? {
            entries.next().map { ($0.name, $0.value) }
        }
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// An object of the members in their order; of a name that occurs twice the last value counts.
    public init(dictionaryLiteral elements: (String, JSONValue)...) {
        self.init(elements.map { ($0, $1) })
    }
}

/// A text that equals another one only if it has the same UTF-8 bytes.
struct JSONName: Hashable, Comparable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (a: JSONName, b: JSONName) -> Bool {
        // The lengths and Swift's own comparison, which takes canonically equivalent texts for the same, settle nearly all
        // cases without a look at the bytes: a text of ASCII, which has as many of one unit as of the other, is canonically
        // equivalent to itself alone.
        a.text.utf8.count == b.text.utf8.count && a.text == b.text
            && (a.text.utf8.count == a.text.utf16.count || a.text.utf8.elementsEqual(b.text.utf8))
    }

    static func < (a: JSONName, b: JSONName) -> Bool {
        a.text.utf8.lexicographicallyPrecedes(b.text.utf8)
    }

    /// Up to this many members are looked at one by one.
    static let mostScanned = 64

    /// The position of each name among many members.
    static func positions(of members: [JSONObject.Entry]) -> [JSONName: Int] {
        var positions = [JSONName: Int](minimumCapacity: members.count)
        for (position, member) in members.enumerated() { positions[JSONName(member.name)] = position }
        return positions
    }

    func hash(into hasher: inout Hasher) {
        // No UTF-8 text holds 0xFF, so that what is fed after it cannot be mistaken for a part of it.
        text.withSpan { text in unsafe text.withUnsafeBytes { unsafe hasher.combine(bytes: $0) } }
        hasher.combine(0xff as UInt8)
    }
}
