import CryptoCore
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

// The holder's signature (RFC 9901, section 7.3).
extension SDJWTChecks {
    private static let keyBindingChecks: [Check] = [
        .holderKey, .keyBindingAlgorithm, .keyBindingType, .holderBinding, .keyBindingTime, .keyBindingAudience,
        .nonce, .presentationHash, .transactionData,
    ]

    /// The check that there is key binding or not, as was demanded.
    mutating func checkKeyBindingPresence() {
        check(.keyBinding) { checks throws(SDJWTError) in
            switch (checks.expectation, checks.sdJWT.keyBindingText != nil) {
            case (.keyBinding, false):
                throw SDJWTError(.missingKeyBinding, "key binding is required and there is no Key Binding JWT")
            case (.noKeyBinding, true):
                throw SDJWTError(.unexpectedKeyBinding, "there is a Key Binding JWT where none may be")
            default: break
            }
        }
    }

    /// The key that the credential names for the holder.
    func confirmation() throws(SDJWTError) -> JWTConfirmation {
        guard let payload, let value = payload.claims["cnf"] else {
            throw SDJWTError(.missingHolderKey, "the credential names no key of the holder")
        }
        return try reading(jose: .unsupportedHolderKey) { () throws(JOSEError) in try JWTConfirmation(json: value) }
    }

    /// Returns `true` if the holder's key is needed.
    var needsHolderKey: Bool {
        expectation.keyBinding != nil && sdJWT.keyBindingJWT != nil && payload != nil
    }

    /// Passes over the checks of the Key Binding JWT; not if only the payload is missing.
    mutating func skipKeyBinding() {
        guard sdJWT.keyBindingJWT == nil || expectation.keyBinding == nil else { return }
        skip(Self.keyBindingChecks, "there is no Key Binding JWT to check")
    }

    /// Checks that a credential without a presentation is bound to a wallet's key, and passes over the checks of the Key Binding JWT.
    mutating func checkHolderKey(_ key: Result<JWK, SDJWTError>, is own: PublicKey) {
        defer { skip(Array(Self.keyBindingChecks.dropFirst()), "there is no Key Binding JWT to check") }
        guard payload != nil else { return }
        check(.holderKey) { checks throws(SDJWTError) in
            let isOwn: Bool
            if case .thumbprint(let thumbprint) = try? checks.confirmation() {
                isOwn = try reading(jose: .unsupportedHolderKey) { () throws(JOSEError) in
                    try JWK(own).thumbprint() == thumbprint
                }
            } else {
                let key = try key.get()
                isOwn = try reading(jose: .unsupportedHolderKey) { () throws(JOSEError) in try key.publicKey() == own }
            }
            guard isOwn else {
                throw SDJWTError(.claimMismatch, "the credential is bound to another key", path: ["cnf"])
            }
        }
    }

    /// The checks of the Key Binding JWT.
    ///
    /// - Parameter key: The holder's key, as the credential names it.
    mutating func checkKeyBinding(_ key: Result<JWK, SDJWTError>) {
        guard let jwt = sdJWT.keyBindingJWT, let expectation = expectation.keyBinding, let hash else { return }
        check(.holderKey) { _ throws(SDJWTError) in _ = try key.get() }
        checkSignature(of: jwt, key)
        let claims = Result { () throws(SDJWTError) in
            JWTClaims(
                try reading(.malformedJWT) { [limits = sdJWT.limits] () throws(JSONError) in
                    try JSONDocument(jwt.unverifiedPayload ?? [], limits: limits.json).root.object().value()
                }
            )
        }
        let (time, presentedText) = (time, sdJWT.presentedText)
        var issued: Date?
        check(.keyBindingTime) { () throws(CheckFault) in
            issued = try Self.requireFreshness(of: claims, time, expectation)
        }
        check(.keyBindingAudience) { _ throws(SDJWTError) in
            try Self.require("aud", in: try claims.get(), expectation.audience)
        }
        check(.nonce) { _ throws(SDJWTError) in try Self.require("nonce", in: try claims.get(), expectation.nonce) }
        check(.presentationHash) { _ throws(SDJWTError) in
            try Self.requireHash(of: presentedText, hash, in: try claims.get())
        }
        check(.transactionData) { _ throws(SDJWTError) in
            try TransactionDataCheck(expectation).check(try claims.get().members)
        }
        // It counts only if no check has failed.
        guard case .success(let claims) = claims, let jws = keyBindingJWS, let holderKey = jws.publicKey,
            let jwk = jws.jwk, let issued
        else { return }
        keyBinding = VerifiedKeyBinding(key: holderKey, jwk: jwk, claims: claims.members, issuedAt: issued)
    }

    private mutating func checkSignature(of jwt: JWS, _ key: Result<JWK, SDJWTError>) {
        let header = jwt.signatures.first?.protectedHeader ?? JOSEHeader()
        let policy = policy.holderAlgorithms
        check(.keyBindingAlgorithm) { _ throws(SDJWTError) in try policy.require(header) }
        check(.keyBindingType) { _ throws(SDJWTError) in
            guard header["typ"]?.stringValue == KeyBinding.type else {
                throw SDJWTError(.wrongType, "typ of the Key Binding JWT is not \(KeyBinding.type)")
            }
        }
        guard case .success(let key) = key else { return }
        check(.holderBinding) { checks throws(SDJWTError) in
            guard !header.contains("b64") else {
                throw SDJWTError(.malformedJWT, "the payload of a JWT is always base64url")
            }
            checks.keyBindingJWS = try reading(jose: .invalidSignature) { () throws(JOSEError) in
                try jwt.verify(with: key, policy: policy.withoutMACs)
            }
        }
    }

    /// Refuses the claims of a Key Binding JWT that was not made lately (RFC 9901, section 7.3).
    ///
    /// - Returns: The time at which it was made.
    private static func requireFreshness(
        of claims: Result<JWTClaims, SDJWTError>,
        _ time: VerificationTime,
        _ expectation: KeyBindingExpectation
    ) throws(CheckFault) -> Date {
        let registered: RegisteredJWTClaims
        switch claims {
        case .success(let claims): registered = RegisteredJWTClaims(claims)
        case .failure(let error): throw error.fault(of: .keyBindingTime)
        }
        guard let issued = try registered.issuedAt() else { throw .missingClaim("iat") }
        try time.requireIssued(at: issued, maximumAge: expectation.maximumAge)
        if let start = try registered.notBefore() { try time.requireBegun(at: start) }
        if let end = try registered.expirationTime() { try time.requireNotExpired(at: end) }
        return issued
    }

    private static func require(_ name: String, in claims: JWTClaims, _ expected: String) throws(SDJWTError) {
        guard let value = claims[name] else { throw SDJWTError(.missingClaim, "the claim is not there", path: [name]) }
        guard let text = value.stringValue else {
            throw SDJWTError(.invalidClaim, "the claim is no string", path: [name])
        }
        guard text.hasSameBytes(as: expected) else {
            let message = "the claim is \"\(text.prefix(Self.longestShown))\", and \"\(expected)\" is expected"
            throw SDJWTError(.claimMismatch, message, path: [name])
        }
    }

    /// The number of characters of a claim in a message.
    private static let longestShown = 128

    private static func requireHash(
        of presentedText: ArraySlice<UInt8>,
        _ hash: HashAlgorithm,
        in claims: JWTClaims
    ) throws(SDJWTError) {
        guard let value = claims["sd_hash"] else {
            throw SDJWTError(.missingClaim, "the claim is not there", path: ["sd_hash"])
        }
        guard let text = value.stringValue, isDigest(text, of: presentedText, hash) else {
            throw SDJWTError(.hashMismatch, "the claim is not the hash of what was presented", path: ["sd_hash"])
        }
    }

    /// Returns `true` if a text is the digest of some bytes in base64url, of which there is one text only.
    private static func isDigest(_ text: String, of bytes: ArraySlice<UInt8>, _ hash: HashAlgorithm) -> Bool {
        guard Base64URL.decodedCount(text.utf8.count) == hash.digestSize else { return false }
        var digest = [UInt8](repeating: 0, count: hash.digestSize)
        return Base64URL.decode(text, into: &digest) && hash.isDigest(digest, of: bytes)
    }
}
