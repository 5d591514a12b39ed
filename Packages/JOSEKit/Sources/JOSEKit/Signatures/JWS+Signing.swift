public import CryptoCore
import JSONKit

extension JWS {
    /// Signs a payload.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - detached: Indicates that the object leaves the payload out.
    ///   - header: The protected header; where it names no algorithm, the signer's is put at its start.
    ///   - unprotectedHeader: The unsigned header; for the JSON serializations only.
    ///   - signer: The key, wherever it lives.
    /// - Throws: ``JOSEError/Code/keyMismatch`` if the header names another algorithm than the signer's,
    ///   ``JOSEError/Code/operationFailed`` if the signer fails, and the errors for an invalid header.
    public static func sign(
        _ payload: [UInt8],
        detached: Bool = false,
        header: JOSEHeader = JOSEHeader(),
        unprotectedHeader: JOSEHeader = JOSEHeader(),
        with signer: any Signer
    ) async throws(JOSEError) -> JWS {
        let unsigned = try Unsigned(
            payload: payload,
            detached: detached,
            header: header.naming(algorithmOf: signer, besides: unprotectedHeader),
            unprotectedHeader: unprotectedHeader
        )
        return try unsigned.completed(with: try await signer.joseSignature(over: unsigned.bytesToSign))
    }

    /// Authenticates a payload with a shared key.
    ///
    /// - Parameters:
    ///   - payload: The payload.
    ///   - detached: Indicates that the object leaves the payload out.
    ///   - header: The protected header, which names HS256, HS384 or HS512 unless the unprotected one does.
    ///   - unprotectedHeader: The unauthenticated header; for the JSON serializations only.
    ///   - hmacKey: The key, with at least the bytes of the hash.
    ///   - allowsShortKey: Pass `true` for a peer whose key is shorter and cannot be changed; see
    ///     ``JWSVerificationPolicy/allowsShortMACKeys``.
    /// - Throws: ``JOSEError/Code/keyMismatch`` for a shorter key and for another algorithm,
    ///   ``JOSEError/Code/publicKeyAsSecret``, and the errors for an invalid header.
    public static func authenticate(
        _ payload: [UInt8],
        detached: Bool = false,
        header: JOSEHeader,
        unprotectedHeader: JOSEHeader = JOSEHeader(),
        hmacKey: SecretBytes,
        allowsShortKey: Bool = false
    ) throws(JOSEError) -> JWS {
        let unsigned = try Unsigned(
            payload: payload,
            detached: detached,
            header: header,
            unprotectedHeader: unprotectedHeader
        )
        return try unsigned.authenticated(with: hmacKey, allowsShortKey: allowsShortKey)
    }

    /// Adds a signature over the same payload, for the general JSON serialization.
    ///
    /// - Parameters:
    ///   - header: The protected header; where it names no algorithm, the signer's is put at its start.
    ///   - unprotectedHeader: The unsigned header.
    ///   - detachedPayload: The payload, where the object does not carry it.
    ///   - signer: The key, wherever it lives.
    /// - Throws: As ``sign(_:detached:header:unprotectedHeader:with:)``.
    public func addingSignature(
        header: JOSEHeader = JOSEHeader(),
        unprotectedHeader: JOSEHeader = JOSEHeader(),
        detachedPayload: [UInt8]? = nil,
        with signer: any Signer
    ) async throws(JOSEError) -> JWS {
        let unsigned = try Unsigned(
            addingTo: self,
            header: header.naming(algorithmOf: signer, besides: unprotectedHeader),
            unprotectedHeader: unprotectedHeader,
            detachedPayload: detachedPayload
        )
        return try unsigned.completed(with: try await signer.joseSignature(over: unsigned.bytesToSign))
    }
}

extension JOSEHeader {
    /// The protected header with which a signer signs: as given where it or the unprotected one names an algorithm, else
    /// with the signer's at its start.
    fileprivate func naming(
        algorithmOf signer: any Signer,
        besides unprotected: JOSEHeader
    ) throws(JOSEError) -> JOSEHeader {
        guard let named = try union(unprotected).signatureAlgorithm() else {
            guard let algorithm = JWSAlgorithm(signer.algorithm, for: signer.publicKey) else {
                throw JOSEError(.unsupportedAlgorithm, "\(signer.algorithm) has no name in JOSE", path: ["alg"])
            }
            return JOSEHeader(JSONObject([("alg", .string(algorithm.rawValue))] + members.map { $0 }))
        }
        guard named.isSupported else { throw named.unsupported }
        guard named.signatureAlgorithm(for: signer.publicKey) == signer.algorithm else {
            throw JOSEError(.keyMismatch, "the signer's key or algorithm is not of \(named)", path: ["alg"])
        }
        return self
    }
}

extension Signer {
    /// Asks for a signature, and turns a failure into a JOSE error.
    fileprivate func joseSignature(over input: [UInt8]) async throws(JOSEError) -> [UInt8] {
        do {
            return try await signature(for: input)
        } catch {
            throw JOSEError(.operationFailed, "the signer failed", path: ["signature"], cause: error)
        }
    }
}
