package import CBORKit

/// The content of the issuer's signature: digests of all data elements, the device key and the validity
/// (ISO/IEC 18013-5, 12.3.5).
public struct MobileSecurityObject: Sendable {
    /// The version of the structure.
    public var version: MdocVersion { members.version }
    /// The hash function of all digests.
    public var digestAlgorithm: DigestAlgorithm { members.digestAlgorithm }
    /// The digests of the data elements, of those not shown too.
    public var valueDigests: ValueDigests { members.valueDigests }
    /// The key that the credential is bound to.
    public var deviceKeyInfo: DeviceKeyInfo { members.deviceKeyInfo }
    /// The type of the document.
    public var docType: DocType { members.docType }
    /// When the credential was signed and when it may be used.
    public var validityInfo: ValidityInfo { members.validityInfo }
    /// The references to the credential's revocation status, if it can be revoked.
    public var status: MobileSecurityObject.Status? { members.status }
    /// MobileSecurityObjectBytes: the tag-24 item exactly as received, the payload of the issuer's signature.
    public var taggedBytes: ArraySlice<UInt8> { members.taggedBytes }

    private let members: Members

    /// The storage that all copies share: every check of a verification takes one.
    private final class Members: Sendable {
        let version: MdocVersion
        let digestAlgorithm: DigestAlgorithm
        let valueDigests: ValueDigests
        let deviceKeyInfo: DeviceKeyInfo
        let docType: DocType
        let validityInfo: ValidityInfo
        let status: MobileSecurityObject.Status?
        let taggedBytes: ArraySlice<UInt8>

        private static let names = CBORMemberNames(
            "version",
            "digestAlgorithm",
            "docType",
            "valueDigests",
            "deviceKeyInfo",
            "validityInfo",
            optional: "status"
        )

        package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
            let members = try reading.embeddedMembers(view, Self.names)
            version = try MdocVersion(members.required(0), &reading)
            digestAlgorithm = DigestAlgorithm(try cbor(members.required(1).text()))
            docType = try reading.name(members.required(2))
            valueDigests = try ValueDigests(members.required(3), &reading)
            deviceKeyInfo = try DeviceKeyInfo(members.required(4), &reading)
            validityInfo = try ValidityInfo(members.required(5), &reading)
            status = try members[6].map { (view) throws(MdocError) in try MobileSecurityObject.Status(view, &reading) }
            taggedBytes = view.encodedBytes
        }
    }
}

extension MobileSecurityObject {
    /// Reads the payload of issuerAuth, whose signature has not been checked yet.
    init(payloadOf issuerAuth: CBORView, _ reading: inout Reading) throws(MdocError) {
        let payload = try cbor(issuerAuth.untagged().array().element(at: 2))
        try self.init(try reading.content(of: payload), &reading)
    }
}

extension MobileSecurityObject: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        members = try Members(view, &reading)
    }
}
