public import CryptoCore
public import JOSEKit
import JSONKit

/// A presentation that lacks the holder's signature, for holders whose key signs elsewhere.
public struct UnsignedKeyBinding: Sendable {
    /// The bytes to sign with the holder's key.
    public var bytesToSign: [UInt8] { unsigned.bytesToSign }

    /// The algorithm to sign with.
    public var algorithm: JWSAlgorithm { unsigned.algorithm }

    private let presentation: SDJWT
    private let unsigned: JWS.Unsigned

    /// Prepares the Key Binding JWT of a presentation.
    init(_ presentation: SDJWT, _ keyBinding: KeyBinding, algorithm: JWSAlgorithm) throws(SDJWTError) {
        self.presentation = presentation
        let claims = try keyBinding.claims(presentationHash: try presentation.presentationHash())
        let header: JOSEHeader = ["alg": .string(algorithm.rawValue), "typ": .string(KeyBinding.type)]
        do throws(JOSEError) {
            unsigned = try JWS.Unsigned(payload: JSONValue.object(claims).encoded(), header: header)
        } catch {
            throw SDJWTError(.invalidValue, reading: error, path: ["KB-JWT"])
        }
    }

    /// The presentation with its Key Binding JWT.
    ///
    /// - Parameter signature: The signature over ``bytesToSign``; for ECDSA r‖s in fixed width, not DER.
    /// - Throws: ``SDJWTError/Code/signingFailed`` for a length that the algorithm cannot have; if the credential names
    ///   the holder's key, also for a signature that this key did not make or may not make.
    public func completed(with signature: [UInt8]) throws(SDJWTError) -> SDJWT {
        do {
            let jws = try unsigned.completed(with: signature)
            if let key = try presentation.namedHolderKey() {
                _ = try jws.verify(with: key, policy: JWSVerificationPolicy(algorithms: [algorithm]))
            }
            return try presentation.binding(jws)
        } catch let error as SDJWTError {
            throw error
        } catch {
            throw SDJWTError(
                .signingFailed,
                "the bytes are no signature by the holder's key",
                path: ["KB-JWT"],
                cause: error
            )
        }
    }
}

extension SDJWT {
    /// The value of `sd_hash` for the SD-JWT: base64url over the hash of the issuer-signed JWT and the Disclosures
    /// (RFC 9901, section 4.3.1).
    func presentationHash() throws(SDJWTError) -> String {
        let hash = try unverifiedHashAlgorithm().requireHash()
        return Base64URL.encode(hash.digest(of: presentedText))
    }

    /// The key that the credential itself names for the holder (`cnf` with `jwk`), or nil.
    fileprivate func namedHolderKey() throws -> JWK? {
        guard let confirmation = try unverifiedPayload().claims["cnf"], let value = confirmation["jwk"] else {
            return nil
        }
        return try JWK(json: value, limits: limits.jose)
    }

    fileprivate func binding(_ keyBindingJWT: JWS) throws -> SDJWT {
        try SDJWT(
            serialization,
            issuerSignedJWT,
            payload: payload,
            disclosureList,
            presentedText: presentedText,
            keyBindingText: Array(try keyBindingJWT.compactSerialization().utf8)[...],
            limits: limits
        )
    }

    /// Prepares a Key Binding JWT over this presentation, whose Disclosures have been chosen before.
    ///
    /// - Parameters:
    ///   - keyBinding: Its content.
    ///   - algorithm: The algorithm that the holder's key signs with.
    /// - Throws: ``SDJWTError`` with code ``SDJWTError/Code/unexpectedKeyBinding`` if there is a Key Binding JWT
    ///   already, ``SDJWTError/Code/unsupportedHashAlgorithm``, or ``SDJWTError/Code/invalidValue``.
    public func prepareKeyBinding(
        _ keyBinding: KeyBinding,
        algorithm: JWSAlgorithm
    ) throws(SDJWTError) -> UnsignedKeyBinding {
        guard keyBindingJWT == nil else {
            throw SDJWTError(.unexpectedKeyBinding, "the presentation has a Key Binding JWT already", path: ["SD-JWT"])
        }
        return try UnsignedKeyBinding(self, keyBinding, algorithm: algorithm)
    }

    /// The presentation with a Key Binding JWT.
    ///
    /// ```swift
    /// let presentation = try await credential
    ///     .presentation(disclosing: [["given_name"], ["address", "country"]])
    ///     .bound(by: holder, KeyBinding(audience: "https://verifier.example", nonce: nonce))
    /// ```
    ///
    /// - Parameters:
    ///   - signer: The holder's key, wherever it lives.
    ///   - keyBinding: The content of the Key Binding JWT.
    /// - Throws: As ``prepareKeyBinding(_:algorithm:)``; ``SDJWTError/Code/signingFailed``.
    public func bound(by signer: any Signer, _ keyBinding: KeyBinding) async throws(SDJWTError) -> SDJWT {
        let algorithm = try JWSAlgorithm.of(signer)
        let unsigned = try prepareKeyBinding(keyBinding, algorithm: algorithm)
        return try unsigned.completed(with: try await signer.sdJWTSignature(for: unsigned.bytesToSign))
    }
}

extension JWSAlgorithm {
    /// The name of what a signer signs with.
    static func of(_ signer: any Signer) throws(SDJWTError) -> JWSAlgorithm {
        guard let algorithm = JWSAlgorithm(signer.algorithm, for: signer.publicKey) else {
            throw SDJWTError(.invalidValue, "\(signer.algorithm) has no name in JOSE")
        }
        return algorithm
    }

    /// Indicates that the algorithm makes MACs, which any verifier can forge.
    var isSymmetric: Bool {
        self == .hs256 || self == .hs384 || self == .hs512
    }
}

extension Signer {
    /// Asks for a signature.
    func sdJWTSignature(for message: [UInt8]) async throws(SDJWTError) -> [UInt8] {
        do {
            return try await signature(for: message)
        } catch {
            throw SDJWTError(.signingFailed, "the signer failed", cause: error)
        }
    }
}
