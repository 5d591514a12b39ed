/// The members of a map by the numbers of their names: found in one pass, decoded when asked for.
///
/// It keeps the document alive as a view does, and takes the place of one view for each member.
public struct CBORMembers: Sendable {
    private let places: MemberPlaces
    private let tape: Tape

    init(_ places: MemberPlaces, in tape: Tape) {
        self.places = places
        self.tape = tape
    }

    /// Finds the members of an item of a document.
    fileprivate init(_ names: CBORMemberNames, of map: Int, in tape: Tape) throws(CBORError) {
        self.init(MemberPlaces(names, of: map, in: tape), in: tape)
        try require(names)
    }

    /// Refuses another item than a map, and a map without a required member.
    func require(_ names: CBORMemberNames) throws(CBORError) {
        guard !places.has(allRequiredOf: names) else { return }
        let map = try view.map()
        for index in 0..<names.requiredCount where places.values[index] == 0 {
            throw .missingKey(.key(names.name(index)), in: map.view)
        }
    }

    /// The map.
    public var view: CBORView { CBORView(tape: tape, entry: map) }

    private var map: Int { Int(places.map) }

    /// The bytes of what the map is embedded in, as received: of the tag 24, or of the byte string where it has no such
    /// tag; nil for a map that is not the whole of what is embedded.
    public var embeddingBytes: ArraySlice<UInt8>? {
        guard map > 0 else { return view.embeddingItem?.encodedBytes }
        return tape.read { $0.embeddingItem(of: map).map($0.range) }.map(tape.slice)
    }

    /// The value of a member, or nil if it is missing.
    ///
    /// - Parameter index: The number of its name.
    public subscript(index: Int) -> CBORView? {
        let entry = places.values[index]
        return entry == 0 ? nil : CBORView(tape: tape, entry: Int(entry))
    }

    /// The value of a required member.
    ///
    /// - Parameter index: The number of its name.
    /// - Precondition: It is one of the required names.
    public func required(_ index: Int) -> CBORView {
        CBORView(tape: tape, entry: entry(index))
    }

    /// The head of a required member; makes no view.
    ///
    /// - Parameter index: The number of its name.
    /// - Precondition: It is one of the required names.
    public func head(_ index: Int) -> CBORHead {
        CBORHead(tape.read { $0.head(of: entry(index)) })
    }

    private func entry(_ index: Int) -> Int {
        let entry = places.values[index]
        precondition(entry != 0, "a member that was not required when the members were looked for")
        return Int(entry)
    }
}

extension CBORView {
    /// Finds the values of several text keys of a map in one pass; other keys are skipped.
    ///
    /// - Parameter names: The keys.
    /// - Throws: ``CBORError/Code/typeMismatch`` for other kinds, ``CBORError/Code/missingItem`` for the first required
    ///   key that the map does not have.
    public func members(_ names: CBORMemberNames) throws(CBORError) -> CBORMembers {
        try CBORMembers(names, of: entry, in: tape)
    }
}
