public import CBORKit

/// A data element as the issuer signed it: with the digest's number and the random that hides the digest
/// (ISO/IEC 18013-5, 10.3.3).
///
/// The digest covers the bytes as received, ``taggedBytes``. The members are checked when the item is read, and decoded
/// on demand.
public struct IssuerSignedItem: Sendable {
    /// The number of its digest.
    public var digestID: DigestID { Self.digestID(members.head(Member.digestID)) }
    /// At least 16 unpredictable bytes.
    public var random: ArraySlice<UInt8> { (try? members.required(Member.random).bytes()) ?? [] }
    /// The identifier of the element.
    public var elementIdentifier: DataElementIdentifier {
        DataElementIdentifier((try? members.required(Member.elementIdentifier).text()) ?? "")
    }
    /// The value of the element, not decoded further.
    public var elementValue: CBORView { members.required(Member.elementValue) }
    /// IssuerSignedItemBytes: the tag-24 item exactly as received.
    public var taggedBytes: ArraySlice<UInt8> { members.embeddingBytes ?? [] }

    private let members: CBORMembers

    /// The numbers of the members.
    enum Member {
        static let digestID = 0
        static let random = 1
        static let elementIdentifier = 2
        static let elementValue = 3
    }

    /// The names of the members.
    static let names = CBORMemberNames("digestID", "random", "elementIdentifier", "elementValue")

    /// Takes members that ``check(_:_:)`` has accepted.
    init(checked members: CBORMembers) {
        self.members = members
    }

    /// Refuses invalid members.
    static func check(_ members: CBORMembers, _ reading: inout Reading) throws(MdocError) {
        let number = members.head(Member.digestID)
        if number.kind != .unsigned || number.argument.flatMap({ DigestID($0) }) == nil {
            // Throws the reason, unless the number is only large.
            let view = members.required(Member.digestID)
            if try DigestID(view).isLarge { try reading.tolerate(.largeDigestID, at: view, breaking: DigestID.limit) }
        }
        try require(.byteString, members, Member.random)
        if !members.head(Member.elementIdentifier).isOfName {
            let _: DataElementIdentifier = try reading.name(members.required(Member.elementIdentifier))
        }
    }

    /// Returns `true` if ``check(_:_:)`` accepts all records, and finds nothing to tolerate.
    static func areValid(_ records: CBORRecords) -> Bool {
        records.allHeads(ofMember: Member.digestID) { head in
            head.kind == .unsigned && head.argument.flatMap { DigestID($0) } != nil
        } && records.allHeads(ofMember: Member.random) { $0.kind == .byteString }
            && records.allHeads(ofMember: Member.elementIdentifier, satisfy: \.isOfName)
    }

    private static func require(_ kind: CBORKind, _ members: CBORMembers, _ index: Int) throws(MdocError) {
        guard members.head(index).kind != kind else { return }
        throw MdocError(reading: .typeMismatch(expected: "\(kind)", at: members.required(index)))
    }
}

extension IssuerSignedItem {
    /// The smallest number of bytes of ``random`` (10.3.3).
    static let minimumRandomSize = 16

    /// The number of the digest by the head of the member.
    static func digestID(_ head: CBORHead) -> DigestID {
        DigestID(value: UInt32(truncatingIfNeeded: head.argument ?? 0))
    }

    /// The number of bytes of ``random``.
    var randomSize: Int { members.head(Member.random).argument.flatMap { Int(exactly: $0) } ?? random.count }
}
