/// Maps of the same members that an array embeds, each in a byte string under tag 24.
///
/// All of them keep the document alive together; a record takes no more than the places of its members.
public struct CBORRecords: RandomAccessCollection, Sendable {
    private let places: [MemberPlaces]
    private let tape: Tape

    fileprivate init(_ places: [MemberPlaces], in tape: Tape) {
        self.places = places
        self.tape = tape
    }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of maps.
    public var endIndex: Int { places.count }

    /// The members of a map.
    public subscript(position: Int) -> CBORMembers { CBORMembers(places[position], in: tape) }

    /// Returns `true` if the heads of a member are as expected in all records; makes no views.
    ///
    /// - Parameters:
    ///   - index: The number of the member's name, which must be present in all records.
    ///   - isExpected: Checks one head.
    public func allHeads(ofMember index: Int, satisfy isExpected: (CBORHead) -> Bool) -> Bool {
        tape.read { contents in
            places.allSatisfy { isExpected(CBORHead(contents.head(of: Int($0.values[index])))) }
        }
    }

    /// The first record that a check refuses; makes no views.
    ///
    /// - Parameter isExpected: Checks a record by its place, the heads of the members that must be there, by the numbers
    ///   of their names, and the bytes of what it is embedded in, see ``CBORMembers/embeddingBytes``.
    public func firstIndex(
        failing isExpected: (_ place: Int, _ head: (Int) -> CBORHead, _ embeddingBytes: Span<UInt8>) -> Bool
    ) -> Int? {
        tape.read { contents in
            places.indices.first { place in
                let members = places[place]
                guard let item = contents.embeddingItem(of: Int(members.map)) else { return true }
                let bytes = unsafe Span<UInt8>(_unsafeBytes: contents.bytes[contents.range(of: item)])
                return !isExpected(place, { CBORHead(contents.head(of: Int(members.values[$0]))) }, bytes)
            }
        }
    }

    /// The first record that has a text as one of its members.
    ///
    /// - Parameters:
    ///   - text: The text, compared by its UTF-8 bytes.
    ///   - index: The number of the member's name.
    public func firstIndex(of text: String, asMember index: Int) -> Int? {
        var text = text
        return text.withUTF8 { utf8 in
            tape.read { contents in
                places.firstIndex {
                    unsafe $0.values[index] != 0 && contents.isText(Int($0.values[index]), equalTo: utf8)
                }
            }
        }
    }

    /// The first record that has the same text, byte for byte, as one of its members as another record before it; nil
    /// if all differ.
    ///
    /// - Parameter index: The number of the member's name, which must be present in all records, and a text.
    public func firstRepetition(ofMember index: Int) -> Int? {
        tape.read { $0.firstRepetition(places.map { Int($0.values[index]) }) }
    }
}

extension TapeContents {
    /// The largest number of texts that are compared pairwise, which costs less than copying and hashing them.
    private static var fewTexts: Int { 64 }
    /// The largest size in bytes of such a text.
    private static var shortText: Int { 64 }

    /// The place among texts of the first that equals another one before it.
    fileprivate func firstRepetition(_ texts: [Int]) -> Int? {
        guard texts.count <= Self.fewTexts, texts.allSatisfy({ isShortText(head(of: $0)) }) else {
            guard !areDistinctByHash(texts) else { return nil }
            var seen = Set<[UInt8]>(minimumCapacity: texts.count)
            return texts.firstIndex { !seen.insert(string(at: $0)).inserted }
        }
        return unsafe withUnsafeTemporaryAllocation(of: UInt64.self, capacity: Self.fewTexts) { fingerprints in
            // A bit for each fingerprint seen: only where it is set already can there be the same one.
            var seen = SIMD4<UInt64>()
            for index in texts.indices {
                let range = contentRange(of: texts[index])
                let fingerprint = fingerprint(of: range)
                unsafe fingerprints[index] = fingerprint
                let bit = Int(truncatingIfNeeded: (fingerprint &* 0x9e37_79b9_7f4a_7c15) >> 56)
                let isNew = seen[bit / 64] & 1 << UInt64(bit % 64) == 0
                seen[bit / 64] |= 1 << UInt64(bit % 64)
                guard !isNew else { continue }
                for earlier in 0..<index where unsafe fingerprints[earlier] == fingerprint {
                    let other = contentRange(of: texts[earlier])
                    if unsafe bytes[other].elementsEqual(bytes[range]) { return index }
                }
            }
            return nil
        }
    }

    /// Returns `true` if the hashes of all texts differ, so that the texts do too; copies none of them.
    private func areDistinctByHash(_ texts: [Int]) -> Bool {
        var hashes = Set<Int>(minimumCapacity: texts.count)
        return texts.allSatisfy { text in
            guard !head(of: text).isIndefinite else { return false }
            var hasher = Hasher()
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(rebasing: bytes[contentRange(of: text)]))
            return hashes.insert(hasher.finalize()).inserted
        }
    }

    private func isShortText(_ head: Head) -> Bool {
        !head.isIndefinite && head.argument <= UInt64(Self.shortText)
    }
}

extension CBORArrayView {
    /// Finds the values of several text keys in each of the maps that the elements hold in byte strings, or in byte
    /// strings under tag 24, where those were indexed along with the document; nil if one of them was not, see
    /// ``CBORView/embeddedItem``.
    ///
    /// - Parameter names: The keys.
    /// - Throws: ``CBORError`` as ``CBORView/members(_:)`` for the first element that holds another item than a map, or a
    ///   map without a required key.
    public func embeddedRecords(_ names: CBORMemberNames) throws(CBORError) -> CBORRecords? {
        var places: [MemberPlaces] = []
        places.reserveCapacity(count)
        let tape = view.tape
        let areAllIndexed = tape.read { contents in
            var elements = contents.children(of: view.entry)
            while let element = elements.next() {
                guard let map = contents.embeddedItem(inTagOrString: element) else { return false }
                places.append(MemberPlaces(names, of: map, in: contents))
            }
            return true
        }
        guard areAllIndexed else { return nil }
        for place in places where !place.has(allRequiredOf: names) {
            try CBORMembers(place, in: tape).require(names)
        }
        return CBORRecords(places, in: tape)
    }
}
