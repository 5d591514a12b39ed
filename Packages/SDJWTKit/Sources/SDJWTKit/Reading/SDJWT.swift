import CryptoCore
public import JOSEKit
import JSONKit

/// An issuer-signed JWT with Disclosures, and perhaps a Key Binding JWT: SD-JWT and SD-JWT+KB (RFC 9901), read and not
/// verified.
///
/// One type for all three serializations. Received text is kept: signatures and hashes are verified over the received
/// texts, never over a re-encoding. Claims to act on come from ``SDJWTVerifier`` alone.
///
/// ```swift
/// let sdJWT = try SDJWT(compact: text)
/// let verification = await verifier.verify(sdJWT, expecting: .keyBinding(expectation))
/// ```
public struct SDJWT: Sendable {
    /// The serialization of an SD-JWT.
    public enum Serialization: Hashable, Sendable {
        /// Parts with tildes between them (section 4).
        case compact
        /// A JSON object with one signature (section 8.2).
        case flattened
        /// A JSON object with a list of signatures (section 8.3).
        case general
    }

    private let parts: Parts

    /// The serialization of the received SD-JWT.
    public var serialization: Serialization { parts.serialization }

    /// The issuer-signed JWT.
    public var issuerSignedJWT: JWS { parts.issuerSignedJWT }

    /// The Disclosures, in their order.
    public var disclosures: [SDJWTDisclosure] { disclosureList.all }

    var disclosureList: any DisclosureList { parts.disclosureList }

    /// The Key Binding JWT; nil for an SD-JWT without key binding.
    public var keyBindingJWT: JWS? { parts.keyBindingJWT }

    /// The claims of the issuer-signed JWT, in which digests stand for hidden claims.
    var payload: JSONObjectView { parts.payload }

    /// `<JWT>~<Disclosure>~…~`: the text that `sd_hash` covers (section 4.3.1).
    var presentedText: ArraySlice<UInt8> { parts.presentedText }

    /// The Key Binding JWT as received.
    var keyBindingText: ArraySlice<UInt8>? { parts.keyBindingText }

    var limits: SDJWTLimits { parts.limits }

    /// The parts of an SD-JWT, on the heap, since each step of a verification passes them on.
    private final class Parts: Sendable {
        let serialization: Serialization
        let issuerSignedJWT: JWS
        let disclosureList: any DisclosureList
        let keyBindingJWT: JWS?
        let payload: JSONObjectView
        let presentedText: ArraySlice<UInt8>
        let keyBindingText: ArraySlice<UInt8>?
        let limits: SDJWTLimits

        init(
            serialization: Serialization,
            issuerSignedJWT: JWS,
            disclosureList: any DisclosureList,
            keyBindingJWT: JWS?,
            payload: JSONObjectView,
            presentedText: ArraySlice<UInt8>,
            keyBindingText: ArraySlice<UInt8>?,
            limits: SDJWTLimits
        ) {
            self.serialization = serialization
            self.issuerSignedJWT = issuerSignedJWT
            self.disclosureList = disclosureList
            self.keyBindingJWT = keyBindingJWT
            self.payload = payload
            self.presentedText = presentedText
            self.keyBindingText = keyBindingText
            self.limits = limits
        }
    }
}

extension SDJWT {
    /// Puts read parts together.
    init(
        _ serialization: Serialization,
        _ issuerSignedJWT: JWS,
        payload: JSONObjectView,
        _ disclosures: any DisclosureList,
        presentedText: ArraySlice<UInt8>,
        keyBindingText: ArraySlice<UInt8>?,
        limits: SDJWTLimits
    ) throws(SDJWTError) {
        let keyBindingJWT: JWS?
        do throws(JOSEError) {
            keyBindingJWT = if let keyBindingText { try JWS(compact: keyBindingText, limits: limits.jose) } else { nil }
        } catch {
            throw SDJWTError(.malformedJWT, reading: error, path: ["keyBindingJWT"])
        }
        parts = Parts(
            serialization: serialization,
            issuerSignedJWT: issuerSignedJWT,
            disclosureList: disclosures,
            keyBindingJWT: keyBindingJWT,
            payload: payload,
            presentedText: presentedText,
            keyBindingText: keyBindingText,
            limits: limits
        )
    }

    /// The claims of a JWT.
    ///
    /// - Throws: ``SDJWTError/Code/malformedJWT`` if the payload is detached, not encoded (RFC 7797, section 7) or no
    ///   JSON object.
    static func claims(of jwt: JWS, limits: SDJWTLimits) throws(SDJWTError) -> JSONObjectView {
        guard let payload = jwt.unverifiedPayload else {
            throw SDJWTError(.malformedJWT, "the JWT has no payload")
        }
        guard jwt.signatures.allSatisfy({ !$0.protectedHeader.contains("b64") }) else {
            throw SDJWTError(.malformedJWT, "the payload of a JWT is always base64url")
        }
        return try reading(.malformedJWT) { () throws(JSONError) in
            try JSONDocument(payload, limits: limits.json).root.object()
        }
    }

    /// The hash function of the digests: the one that `_sd_alg` names, or SHA-256 (section 4.1.1).
    ///
    /// - Throws: ``SDJWTError/Code/unsupportedHashAlgorithm`` if `_sd_alg` is not a string.
    public func unverifiedHashAlgorithm() throws(SDJWTError) -> SDHashAlgorithm {
        guard let view = payload[ReservedName.hashAlgorithm] else { return .sha256 }
        return SDHashAlgorithm(
            rawValue: try reading(.unsupportedHashAlgorithm) { () throws(JSONError) in
                try view.string()
            }
        )
    }

    /// The unverified processed payload.
    ///
    /// A wallet uses it to show a credential that it verified before.
    /// - Throws: ``SDJWTError`` with a code of the rules for Disclosures (section 7.1, steps 3 to 5).
    public func unverifiedPayload() throws(SDJWTError) -> SDJWTPayload {
        do throws(SDJWTError) {
            return try processed(hash: try unverifiedHashAlgorithm().requireHash())
        } catch {
            throw error.inside("SD-JWT")
        }
    }

    func processed(hash: HashAlgorithm) throws(SDJWTError) -> SDJWTPayload {
        try DisclosureProcessing.process(payload, disclosureList, hash: hash, limits: limits)
    }
}

extension SDJWT: CustomStringConvertible {
    /// The kind of SD-JWT and its number of Disclosures, but never a claim.
    public var description: String {
        let kind = keyBindingJWT == nil ? "SD-JWT" : "SD-JWT+KB"
        return "\(kind) with \(disclosureList.count) Disclosures"
    }
}
