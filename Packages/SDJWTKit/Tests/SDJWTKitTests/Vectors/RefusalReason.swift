import SDJWTKit

/// The meaning of a case's message about a refusal.
struct RefusalReason {
    let code: SDJWTError.Code
    /// The check that must fail; nil where the text cannot even be read.
    let check: Check?

    private static let reasons: [String: (SDJWTError.Code, Check?)] = [
        "no tilde": (.malformed, nil),
        "kb parts": (.malformedJWT, nil),
        "empty disclosure": (.malformedDisclosure, nil),
        "disclosure form": (.malformedDisclosure, nil),
        "claim name not string": (.malformedDisclosure, nil),
        "ValueError('base64url')": (.malformedDisclosure, nil),
        "duplicate member iss": (.malformedJWT, nil),
        "duplicate member a": (.malformedDisclosure, nil),
        "duplicate disclosure": (.duplicateDisclosure, .digests),
        "disclosure without reference": (.unreferencedDisclosure, .digests),
        "digest repeated": (.duplicateDigest, .digests),
        "claim name already present": (.duplicateClaim, .digests),
        "reserved claim name": (.reservedClaimName, .digests),
        "array-element disclosure in _sd": (.wrongDisclosureKind, .digests),
        "property disclosure in array": (.wrongDisclosureKind, .digests),
        "\"...\" with other members": (.malformedDigest, .digests),
        "\"...\" in an object": (.malformedDigest, .digests),
        "_sd not an array": (.malformedDigest, .digests),
        "digest not a string": (.malformedDigest, .digests),
        "unknown _sd_alg": (.unsupportedHashAlgorithm, .digests),
        "alg": (.algorithmNotAllowed, .issuerAlgorithm),
        "issuer signature": (.invalidSignature, .issuerSignature),
        "key binding missing": (.missingKeyBinding, .keyBinding),
        "no cnf": (.missingHolderKey, .holderKey),
        "kb alg": (.algorithmNotAllowed, .keyBindingAlgorithm),
        "kb typ": (.wrongType, .keyBindingType),
        "kb signature": (.invalidSignature, .holderBinding),
        "kb claim iat": (.missingClaim, .keyBindingTime),
        "kb claim aud": (.missingClaim, .keyBindingAudience),
        "kb claim nonce": (.missingClaim, .nonce),
        "kb claim sd_hash": (.missingClaim, .presentationHash),
        "aud": (.claimMismatch, .keyBindingAudience),
        "nonce": (.claimMismatch, .nonce),
        "sd_hash": (.hashMismatch, .presentationHash),
    ]

    /// The meaning of a message, or nil for one that is not known here.
    init?(_ message: String) {
        guard let (code, check) = Self.reasons[message] else { return nil }
        self.code = code
        self.check = check
    }
}
