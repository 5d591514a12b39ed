package import CBORKit
public import COSEKit

/// An issuer's signed data: data elements, and the signature over their digests (ISO/IEC 18013-5, 10.3.3).
///
/// An issuer delivers this form and a wallet stores it; an ``MdocDocument`` carries it as a part. A value of this type has
/// been read, not verified: see ``MdocVerifier``.
public struct IssuerSigned: Sendable {
    /// The items of one namespace.
    public struct Group: Sendable {
        /// The namespace.
        public let nameSpace: NameSpace
        /// The items, in the order received.
        public let items: IssuerSignedItems
    }

    /// The items by namespace, in the order received; empty if the member `nameSpaces` is absent.
    public var nameSpaces: [Group] { members.nameSpaces }
    /// The issuer's signature over MobileSecurityObjectBytes.
    public var issuerAuth: COSESign1 { members.issuerAuth }
    /// The mobile security object that the issuer's signature covers.
    public var mobileSecurityObject: MobileSecurityObject { members.mobileSecurityObject }
    /// The structure as received.
    public var encodedBytes: ArraySlice<UInt8> { members.encodedBytes }
    /// The deviations from the standard that were tolerated in reading it.
    public private(set) var deviations: [MdocDeviation] = []

    /// The issuer's certificates in DER, leaf first, as issuerAuth carries them; empty if it carries none.
    var x5chain: [ArraySlice<UInt8>] { members.x5chain }
    /// `issuerAuth` as received.
    var issuerAuthBytes: ArraySlice<UInt8> { members.issuerAuthBytes }

    private let members: Members

    /// The storage that all copies share.
    ///
    /// A verification copies the structure many times, and copying its parts one by one would cost more than reading
    /// them.
    private final class Members: Sendable {
        let nameSpaces: [Group]
        let issuerAuth: COSESign1
        let mobileSecurityObject: MobileSecurityObject
        let encodedBytes: ArraySlice<UInt8>
        let x5chain: [ArraySlice<UInt8>]
        let issuerAuthBytes: ArraySlice<UInt8>

        private static let names = CBORMemberNames("issuerAuth", optional: "nameSpaces")

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            let members = try cbor(view.members(Self.names))
            let issuerAuthView = members.required(0)
            nameSpaces = try IssuerSigned.groups(members[1], &reading)
            issuerAuth = try reading.sign1(issuerAuthView)
            x5chain = try reading.x5chain(of: issuerAuth, mayEndWithRoot: false, at: issuerAuthView)
            issuerAuthBytes = issuerAuthView.encodedBytes
            mobileSecurityObject = try MobileSecurityObject(payloadOf: issuerAuthView, &reading)
            encodedBytes = view.encodedBytes
        }
    }

    /// Reads an issuer's credential, such as the `credential` of OpenID4VCI after base64url decoding.
    ///
    /// - Throws: ``MdocError`` if it is not the structure, or if a limit is passed.
    public init(decoding bytes: some Collection<UInt8>, options: MdocReadingOptions = .strict) throws(MdocError) {
        let bytes = Array(bytes)
        (self, deviations) = try Self.read(bytes[...], options)
    }

    /// The items of a namespace; empty for a missing namespace.
    public subscript(nameSpace: NameSpace) -> IssuerSignedItems {
        nameSpaces.first { $0.nameSpace == nameSpace }?.items ?? IssuerSignedItems()
    }

    /// The first item with an identifier in a namespace.
    public subscript(nameSpace: NameSpace, identifier: DataElementIdentifier) -> IssuerSignedItem? {
        nameSpaces.first { $0.nameSpace == nameSpace }?.items[identifier]
    }

    /// The document type that the issuer signed.
    public var docType: DocType { mobileSecurityObject.docType }
}

extension IssuerSigned: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let before = reading.deviations.count
        members = try Members(view, &reading)
        deviations = Array(reading.deviations.dropFirst(before))
    }

    private static func groups(_ view: CBORView?, _ reading: inout Reading) throws(MdocError) -> [Group] {
        guard let view else { return [] }
        let map = try cbor(view.map())
        guard map.count > 0 else {
            try reading.tolerate(.emptyMember, at: view)
            return []
        }
        try reading.checkNameSpaces(map.count, at: view)
        var groups: [Group] = []
        groups.reserveCapacity(map.count)
        var total = 0
        for (key, items) in map {
            total += try cbor(items.array()).count
            let limit = reading.options.limits.elements
            try reading.check(total, limit: limit, "data elements", at: view)
            let group = Group(
                nameSpace: try reading.name(key),
                items: try IssuerSignedItems(items, &reading)
            )
            groups.append(group)
        }
        return groups
    }
}

// The names that other implementations have for parts of these structures, beside those of Swift.
extension IssuerSigned {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// The mobile security object: another name of ``mobileSecurityObject``.
    public var MSO: MobileSecurityObject { mobileSecurityObject }

    /// The key that the credential is bound to, and its authorizations.
    public var deviceKeyInfo: DeviceKeyInfo { mobileSecurityObject.deviceKeyInfo }

    /// The namespaces with items, in the order received.
    public func getNameSpaces() -> [NameSpace] { nameSpaces.map(\.nameSpace) }

    /// The items of a namespace: another name of ``subscript(_:)``; empty for a missing namespace.
    public func getIssuerSignedItems(ns nameSpace: NameSpace) -> IssuerSignedItems { self[nameSpace] }
}
