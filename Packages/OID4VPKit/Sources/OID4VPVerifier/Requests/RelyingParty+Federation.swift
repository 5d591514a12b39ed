import CryptoCore
import JOSEKit
public import JSONKit
import OID4VPMessages

extension RelyingParty {
    /// The metadata that an entity of a federation publishes as `openid_credential_verifier`: the formats, the keys of requests
    /// and responses, and the party's further members.
    ///
    /// ```swift
    /// let metadata = try party.federationMetadata(responseAddresses: ["https://shop.example/oid4vp/response"])
    /// let builder = EntityStatementBuilder(
    ///     issuer: try EntityIdentifier("https://shop.example"),
    ///     keys: JWKSet([try JWK(signer.publicKey, keyID: "f1")]),
    ///     validity: now...now.addingTimeInterval(86_400),
    ///     metadata: ["openid_credential_verifier": .object(metadata)],
    ///     authorityHints: [try EntityIdentifier("https://federation.example")]
    /// )
    /// ```
    ///
    /// - Parameter responseAddresses: The addresses of responses, of which each request names one (`response_uris`); empty to
    ///   let the signature of a request vouch for its address.
    /// - Throws: ``OID4VPVerifierError/Code/invalidRelyingParty`` for a client that is no entity of a federation, for a key
    ///   of responses that is made for each request or does not go with the algorithm, and for keys without identifiers of
    ///   their own.
    public func federationMetadata(responseAddresses: [String] = []) throws(OID4VPVerifierError) -> JSONObject {
        guard client.rule == .federation, let signer = client.signer else {
            throw Self.invalid("the client is no entity of a federation", "client")
        }
        guard case .fixed(let key) = encryption.key else {
            throw Self.invalid(
                "wallets cannot learn a key that is made for each request: it needs a fixed one",
                "encryption"
            )
        }
        let requestJWK: JWK
        do throws(JOSEError) {
            requestJWK = try JWK(signer.publicKey, keyID: client.header["kid"]?.stringValue, use: .signature)
        } catch {
            throw OID4VPVerifierError(
                .invalidRelyingParty,
                "the key of requests cannot be published",
                path: ["client"],
                cause: error
            )
        }
        guard let keyID = key.keyID, requestJWK.keyID?.hasSameBytes(as: keyID) == false else {
            throw Self.invalid("the keys of requests and responses need identifiers of their own", "encryption")
        }
        let responseKey = try encryption.named(key, isKnown: true).members
        var members = metadata
        members["vp_formats_supported"] = .object(verifiers.metadata(verifiers.formats, for: .v1))
        members["jwks"] = ["keys": [.object(requestJWK.members), .object(responseKey)]]
        members["encrypted_response_enc_values_supported"] = .array(
            encryption.encryptions.map { .string($0.rawValue) }
        )
        if !responseAddresses.isEmpty { members["response_uris"] = .array(responseAddresses.map { .string($0) }) }
        return members
    }

    private static func invalid(_ message: String, _ path: String) -> OID4VPVerifierError {
        OID4VPVerifierError(.invalidRelyingParty, message, path: [path])
    }
}
