import CBORKit
import JOSEKit
public import JSONKit
import LinkedDataKit
import MdocKit
import SDJWTKit

/// A credential as the app keeps it.
public enum CredentialValue: Hashable, Sendable, ExpressibleByStringLiteral {
    /// Text: an SD-JWT, an mdoc in base64url, or a linked-data credential in JSON.
    case text(String)
    /// A linked-data credential.
    case object(JSONObject)

    /// Takes a text.
    public init(stringLiteral value: String) {
        self = .text(value)
    }

    /// Takes a text, an object, or a value that can be encoded as one of them.
    ///
    /// - Throws: ``OpenID4VPException`` for anything else.
    public init(_ value: Any) throws(OpenID4VPException) {
        if let value = value as? CredentialValue {
            self = value
            return
        }
        let json = try JSONValue(plain: value)
        if let text = json.stringValue {
            self = .text(text)
        } else if let members = json.objectValue {
            self = .object(members)
        } else {
            throw InvalidData(message: "A credential is neither a text nor an object", className: "OpenID4VP")
        }
    }

    /// Text that is the same for the same credential.
    var identity: String {
        switch self {
        case .text(let text): text
        case .object(let members): JSONValue.object(members).text()
        }
    }
}

extension CredentialValue {
    private static func invalid(_ format: FormatType, _ reason: String, _ cause: (any Error)? = nil) -> InvalidData {
        InvalidData(
            message: "The \(format.rawValue) credential cannot be read: \(reason)",
            className: "OpenID4VP",
            cause: cause
        )
    }

    /// The credential with a linked-data proof.
    func linkedData() throws(OpenID4VPException) -> VerifiableCredential {
        do {
            let credential =
                switch self {
                case .text(let text): try VerifiableCredential(decoding: Array(text.utf8))
                case .object(let members): try VerifiableCredential(json: members)
                }
            guard case .linkedData = credential.form else { throw Self.invalid(.ldp_vc, "it is a token") }
            return credential
        } catch let error as OpenID4VPException {
            throw error
        } catch {
            throw Self.invalid(.ldp_vc, "it is no credential in JSON", error)
        }
    }

    /// The SD-JWT, without a Key Binding JWT.
    func sdJWT(_ format: FormatType) throws(OpenID4VPException) -> SDJWT {
        guard case .text(let text) = self, text.hasSuffix("~") else {
            throw Self.invalid(format, "it does not end with a tilde")
        }
        do {
            return try SDJWT(compact: text)
        } catch {
            throw Self.invalid(format, "it is no SD-JWT", error)
        }
    }

    /// The claims of an SD-JWT.
    static func claims(of sdJWT: SDJWT, _ format: FormatType) throws(OpenID4VPException) -> JSONObject {
        do throws(SDJWTError) {
            return try sdJWT.unverifiedPayload().claims
        } catch {
            throw invalid(format, "its Disclosures cannot be read", error)
        }
    }

    /// The mdoc: IssuerSigned, or a map of it with its document type; base64url or base64, padded or not.
    func mdoc() throws(OpenID4VPException) -> IssuerSigned {
        guard case .text(let text) = self else { throw Self.invalid(.mso_mdoc, "it is no text") }
        let normalized = text.utf8.reduce(into: [UInt8]()) { bytes, byte in
            switch byte {
            case UInt8(ascii: "+"): bytes.append(UInt8(ascii: "-"))
            case UInt8(ascii: "/"): bytes.append(UInt8(ascii: "_"))
            case UInt8(ascii: "="): break
            default: bytes.append(byte)
            }
        }
        do {
            let bytes = try Base64URL.decode(normalized)
            let members = try CBORDocument(bytes).root.map()
            guard let inner = members.value(forKey: "issuerSigned") else { return try IssuerSigned(decoding: bytes) }
            let issuerSigned = try IssuerSigned(decoding: inner.encodedBytes)
            if let docType = try members.value(forKey: "docType")?.text(), DocType(docType) != issuerSigned.docType {
                throw Self.invalid(.mso_mdoc, "its document type is not the issuer's")
            }
            return issuerSigned
        } catch let error as OpenID4VPException {
            throw error
        } catch {
            throw Self.invalid(.mso_mdoc, "it is no mdoc in base64url", error)
        }
    }
}
