import CBORKit

/// A document of a ``DeviceResponse``: the issuer-signed and the device-signed part (ISO/IEC 18013-5, 10.3.2).
///
/// A value of this type has been read, not verified: its elements are claims of its sender.
public struct MdocDocument: Sendable {
    /// The type of the document, as the wallet states it; verification compares it with what the issuer signed.
    public var docType: DocType { members.docType }
    /// The issuer's part.
    public var issuerSigned: IssuerSigned { members.issuerSigned }
    /// The device's part.
    public var deviceSigned: DeviceSigned { members.deviceSigned }
    /// The requested elements that the wallet reports as not returned; decoded at each call.
    public var errors: DataElements<MdocErrorCode> { members.errors.elements }
    /// The structure as received.
    public var encodedBytes: ArraySlice<UInt8> { members.encodedBytes }
    /// Its place in the response, counted from 0.
    public var index: Int { members.index }
    /// The deviations from the standard that were tolerated in reading it.
    public var deviations: [MdocDeviation] { members.deviations }

    private let members: Members

    /// The storage that all copies share.
    private final class Members: Sendable {
        let docType: DocType
        let issuerSigned: IssuerSigned
        let deviceSigned: DeviceSigned
        let errors: ReceivedErrors
        let encodedBytes: ArraySlice<UInt8>
        let index: Int
        let deviations: [MdocDeviation]

        private static let names = CBORMemberNames("docType", "issuerSigned", "deviceSigned", optional: "errors")

        init(_ view: CBORView, index: Int, _ reading: inout Reading) throws(MdocError) {
            let before = reading.beginPart()
            let members = try cbor(view.members(Self.names))
            docType = try reading.name(members.required(0))
            issuerSigned = try IssuerSigned(members.required(1), &reading)
            deviceSigned = try DeviceSigned(members.required(2), &reading)
            errors =
                try members[3].map { (view) throws(MdocError) in try ReceivedErrors(view, &reading) }
                ?? ReceivedErrors()
            encodedBytes = view.encodedBytes
            self.index = index
            deviations = Array(reading.deviations.dropFirst(before))
        }
    }
}

extension MdocDocument {
    init(_ view: CBORView, index: Int, _ reading: inout Reading) throws(MdocError) {
        members = try Members(view, index: index, &reading)
    }
}

/// A document of a ``DeviceResponse``, or a zero-knowledge proof about one, that is not the structure it should be.
public struct UnreadableDocument: Sendable {
    /// Its place in the response, counted from 0.
    public let index: Int
    /// The type that it states, where that much can be read.
    public let docType: DocType?
    /// The error in the document.
    public let error: MdocError
}

extension UnreadableDocument {
    init(_ view: CBORView, index: Int, _ error: MdocError) {
        self.index = index
        docType = (try? view.map().value(forKey: "docType")?.text()).map { DocType($0) }
        self.error = error
    }
}
