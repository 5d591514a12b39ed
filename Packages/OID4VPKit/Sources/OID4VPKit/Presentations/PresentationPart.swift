import CryptoCore
import DIDKit
import JOSEKit
import JSONKit
import LinkedDataKit
import MdocKit
import OID4VPMessages
import SDJWTKit

/// One element of the response: a presentation, or what it becomes with its signatures.
enum PresentationPart: Sendable {
    /// A credential that needs no signature.
    case ready(JSONValue)
    /// An SD-JWT without its Key Binding JWT.
    case keyBinding(UnsignedKeyBinding, CredentialFormat, PublicKey, PendingSignature.ID)
    /// The documents of one DeviceResponse.
    case documents([(PreparedMdocDocument.UnsignedSignature, PendingSignature.ID)])
    /// A linked-data presentation.
    case proof(UnsignedLinkedDataProof, PublicKey, PendingSignature.ID)
    /// A linked-data presentation that the caller makes the proof of: the document, and the proof without its value.
    case callersProof(JSONObject, proof: JSONObject, PendingSignature.ID)
    /// A presentation as a token.
    case token(JWS.Unsigned, PublicKey, PendingSignature.ID)

    /// The presentation.
    func completed(
        with signatures: [PendingSignature.ID: PresentationSignature]
    ) throws(OID4VPError) -> JSONValue {
        switch self {
        case .ready(let presentation): return presentation
        case .keyBinding(let unsigned, let format, let key, let id):
            let bytes = try Self.bytes(signatures, id, format)
            return try OID4VPError.presenting(format, .signingFailed) {
                try Self.require(bytes, over: unsigned.bytesToSign, unsigned.algorithm, key)
                return .string(try unsigned.completed(with: bytes).compactSerialization())
            }
        case .documents(let unsigned):
            var documents: [MdocDocument] = []
            for (document, id) in unsigned {
                let bytes = try Self.bytes(signatures, id, .mdoc)
                documents.append(
                    try OID4VPError.presenting(.mdoc, .signingFailed) { try document.completed(with: bytes) }
                )
            }
            return try OID4VPError.presenting(.mdoc) {
                .string(Base64URL.encode(try DeviceResponse(documents: documents).encodedBytes))
            }
        case .proof(let unsigned, let key, let id):
            let signature = try Self.signature(signatures, id, .linkedData)
            return try OID4VPError.presenting(.linkedData, .signingFailed) {
                .object(try unsigned.completed(with: signature, by: key).unverifiedMembers)
            }
        case .callersProof(let document, let proof, let id):
            return try Self.completed(document, proof, with: Self.signature(signatures, id, .linkedData))
        case .token(let unsigned, let key, let id):
            let bytes = try Self.bytes(signatures, id, .jwt)
            return try OID4VPError.presenting(.jwt, .signingFailed) {
                try Self.require(bytes, over: unsigned.bytesToSign, unsigned.algorithm, key)
                return .string(try unsigned.completed(with: bytes).compactSerialization())
            }
        }
    }

    private static func signature(
        _ signatures: [PendingSignature.ID: PresentationSignature],
        _ id: PendingSignature.ID,
        _ format: CredentialFormat
    ) throws(OID4VPError) -> PresentationSignature {
        guard let signature = signatures[id] else {
            throw OID4VPError(.signingFailed, "the signature \(id) is missing", path: [format.text])
        }
        return signature
    }

    private static func bytes(
        _ signatures: [PendingSignature.ID: PresentationSignature],
        _ id: PendingSignature.ID,
        _ format: CredentialFormat
    ) throws(OID4VPError) -> [UInt8] {
        guard case .bytes(let bytes) = try signature(signatures, id, format) else {
            throw OID4VPError(.signingFailed, "the bytes of the signature are needed", path: [format.text])
        }
        return bytes
    }

    /// Refuses a signature that the key did not make.
    private static func require(
        _ signature: [UInt8],
        over message: [UInt8],
        _ name: JWSAlgorithm,
        _ key: PublicKey
    ) throws(OID4VPError) {
        guard let algorithm = name.signatureAlgorithm(for: key),
            key.isValidSignature(signature, for: message, algorithm: algorithm)
        else { throw OID4VPError(.signingFailed, "the signature is not one by the holder's key") }
    }

    /// The document with a proof whose bytes only the caller knows, so that nothing of it can be verified here.
    private static func completed(
        _ document: JSONObject,
        _ proof: JSONObject,
        with signature: PresentationSignature
    ) throws(OID4VPError) -> JSONValue {
        var (document, proof) = (document, proof)
        switch signature {
        case .bytes: throw OID4VPError(.signingFailed, "a JWS or a proof value is needed", path: ["ldp_vc"])
        case .jws(let text): proof["jws"] = .string(text)
        case .proofValue(let text): proof["proofValue"] = .string(text)
        }
        document["proof"] = .object(proof)
        return .object(document)
    }
}

extension UnsignedLinkedDataProof {
    /// The document with a signature in any form, once it is found to be one by the key.
    fileprivate func completed(
        with signature: PresentationSignature,
        by key: PublicKey
    ) throws -> SecuredDocument {
        let document: SecuredDocument
        let (bytes, message): ([UInt8], [UInt8])
        switch signature {
        case .bytes(let signature):
            (bytes, message) = (signature, bytesToSign)
            document = try completed(with: signature)
        case .proofValue(let text):
            (bytes, message) = (try Multibase.decode(text), bytesToSign)
            document = try completed(with: bytes)
        case .jws(let text): (document, bytes, message) = try completed(withJWS: text)
        }
        guard key.isValidSignature(bytes, for: message, algorithm: algorithm) else {
            throw OID4VPError(.signingFailed, "the signature is not one by the holder's key", path: ["ldp_vc"])
        }
        return document
    }
}
