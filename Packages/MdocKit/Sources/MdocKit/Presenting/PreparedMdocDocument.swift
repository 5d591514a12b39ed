public import CBORKit
import COSEKit
import CryptoCore

/// A document that a wallet is about to present: selected items, bound to a session, not yet authenticated by the
/// device key (ISO/IEC 18013-5, 12.4).
///
/// ```swift
/// let selected = try credential.limitDisclosures(docRequest: request)
/// let document = try await PreparedMdocDocument(selected, sessionTranscript: transcript).signed(with: deviceSigner)
/// ```
///
/// A device key signs or makes MACs, never both.
public struct PreparedMdocDocument: Sendable {
    /// The items to present.
    public let issuerSigned: IssuerSigned
    /// The session that the document is bound to.
    public let sessionTranscript: SessionTranscript
    /// The structure for the device key to authenticate.
    public let deviceAuthentication: DeviceAuthentication

    private let deviceNameSpacesBytes: [UInt8]
    private let errors: DataElements<MdocErrorCode>

    /// Prepares a document.
    ///
    /// - Parameters:
    ///   - issuerSigned: The items to present, see ``IssuerSigned/limitDisclosures(docRequest:retention:)``.
    ///   - deviceNameSpaces: Elements that the device vouches for; the credential's key authorizations must cover them.
    ///   - errors: The requested elements that are not returned, to report them to the reader.
    ///   - sessionTranscript: The transcript of this session.
    /// - Throws: ``MdocError`` with code `invalidValue` if an element of the device is not authorized, or
    ///   `duplicateElement` if the issuer signed it too.
    public init(
        _ issuerSigned: IssuerSigned,
        deviceNameSpaces: DataElements<CBOR> = DataElements(),
        errors: DataElements<MdocErrorCode> = DataElements(),
        sessionTranscript: SessionTranscript
    ) throws(MdocError) {
        let authorized = AuthorizedElements(issuerSigned.mobileSecurityObject.deviceKeyInfo.keyAuthorizations)
        for element in deviceNameSpaces.references {
            guard authorized.contains(element) else {
                throw MdocError(.invalidValue, "the device key is not authorized to sign \(element)")
            }
            guard issuerSigned[element.nameSpace, element.identifier] == nil else {
                throw MdocError(.duplicateElement, "\(element) is signed by the issuer already")
            }
        }
        self.issuerSigned = issuerSigned
        self.errors = errors
        self.sessionTranscript = sessionTranscript
        let content = CBORWriter.bytes { writer in
            writer.write(deviceNameSpaces) { writer, value in writer.write(value) }
        }
        deviceNameSpacesBytes = CBORWriter.embedding(content)
        deviceAuthentication = DeviceAuthentication(
            sessionTranscript: sessionTranscript,
            docType: issuerSigned.docType,
            deviceNameSpacesBytes: deviceNameSpacesBytes
        )
    }

    /// The device key of the credential.
    ///
    /// - Throws: ``MdocError`` with code `unsupportedKey` if it cannot be used.
    var deviceKey: PublicKey {
        get throws(MdocError) {
            do {
                return try issuerSigned.mobileSecurityObject.deviceKeyInfo.deviceKey.publicKey()
            } catch {
                throw MdocError(.unsupportedKey, "the device key cannot be used", cause: error)
            }
        }
    }

    /// The document with its device authentication.
    func document(_ member: String, _ encodedAuth: [UInt8]) throws(MdocError) -> MdocDocument {
        let encoded = CBORWriter.bytes { writer in
            writer.beginMap(count: errors.isEmpty ? 3 : 4)
            writer.write(text: "docType")
            writer.write(text: issuerSigned.docType.text)
            writer.write(text: "issuerSigned")
            writer.write(encoded: issuerSigned.encodedBytes)
            writer.write(text: "deviceSigned")
            writer.beginMap(count: 2)
            writer.write(text: "nameSpaces")
            writer.write(encoded: deviceNameSpacesBytes)
            writer.write(text: "deviceAuth")
            writer.beginMap(count: 1)
            writer.write(text: member)
            writer.write(encoded: encodedAuth)
            if !errors.isEmpty {
                writer.write(text: "errors")
                writer.write(errors) { writer, code in writer.write(integer: code.rawValue) }
            }
        }
        return try MdocDocument.built(encoded)
    }
}
