import CBORKit

/// The reason that a document or data element was not returned (ISO/IEC 18013-5, 10.3.2); an open set.
///
/// Positive codes are reserved, negative ones belong to applications.
public struct MdocErrorCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The code.
    public let rawValue: Int64

    /// Wraps a code.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The wallet does not return it and gives no reason.
    public static let dataNotReturned = MdocErrorCode(rawValue: 0)

    /// The code in decimal.
    public var description: String { "\(rawValue)" }
}

/// The errors of a document as received: checked when read, and decoded on demand.
struct ReceivedErrors: Sendable {
    private let groups: [(nameSpace: NameSpace, members: CBORMapView)]

    /// No errors.
    init() {
        groups = []
    }

    /// The errors by namespace and identifier.
    var elements: DataElements<MdocErrorCode> {
        var elements = DataElements<MdocErrorCode>()
        for (nameSpace, errors) in groups {
            elements.append(nameSpace, errors.map { ($0.checkedIdentifier, $1.checkedErrorCode) })
        }
        return elements
    }
}

extension ReceivedErrors: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        groups = try reading.elementGroups(view, mayBeEmpty: true)
        if groups.isEmpty { try reading.tolerate(.emptyMember, at: view) }
        for group in groups { try Self.check(group.members, reading) }
    }

    /// Refuses anything but names with error codes.
    private static func check(_ errors: CBORMapView, _ reading: Reading) throws(MdocError) {
        let isExpected = errors.allHeads { key, value in
            guard key.isOfName, let argument = value.argument else { return false }
            return (value.kind == .unsigned || value.kind == .negative) && argument <= UInt64(Int64.max)
        }
        guard !isExpected else { return }
        // Finds the unexpected name or code, and the reason.
        for (key, value) in errors {
            let _: DataElementIdentifier = try reading.name(key)
            let _: Int64 = try cbor(value.integer())
        }
    }
}

extension CBORView {
    /// A name that is known to be text.
    fileprivate var checkedIdentifier: DataElementIdentifier { DataElementIdentifier((try? text()) ?? "") }

    /// A code that is known to be one.
    fileprivate var checkedErrorCode: MdocErrorCode { MdocErrorCode(rawValue: (try? integer()) ?? 0) }
}
