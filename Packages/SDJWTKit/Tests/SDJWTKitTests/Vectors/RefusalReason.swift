import SDJWTKit

/// The meaning of a case's message about a refusal.
struct RefusalReason {
    let code: SDJWTError.Code
    /// The check that must fail; nil where the text cannot even be read.
    let check: SDJWTCheck?

    private static let reasons: [String: (SDJWTError.Code, SDJWTCheck?)] = [
        "no tilde": (.malformed, nil),
        "kb parts": (.malformedJWT, nil),
        "empty disclosure": (.malformedDisclosure, nil),
        "disclosure form": (.malformedDisclosure, nil),
        "claim name not string": (.malformedDisclosure, nil),
        "ValueError('base64url')": (.malformedDisclosure, nil),
        "duplicate member iss": (.malformedJWT, nil),
        "duplicate member a": (.malformedDisclosure, nil),
        "duplicate disclosure": (.duplicateDisclosure, .disclosures),
        "disclosure without reference": (.unreferencedDisclosure, .disclosures),
        "digest repeated": (.duplicateDigest, .disclosures),
        "claim name already present": (.duplicateClaim, .disclosures),
        "reserved claim name": (.reservedClaimName, .disclosures),
        "array-element disclosure in _sd": (.wrongDisclosureKind, .disclosures),
        "property disclosure in array": (.wrongDisclosureKind, .disclosures),
        "\"...\" with other members": (.malformedDigest, .disclosures),
        "\"...\" in an object": (.malformedDigest, .disclosures),
        "_sd not an array": (.malformedDigest, .disclosures),
        "digest not a string": (.malformedDigest, .disclosures),
        "unknown _sd_alg": (.unsupportedHashAlgorithm, .disclosures),
        "alg": (.algorithmNotAllowed, .issuerAlgorithm),
        "issuer signature": (.invalidSignature, .issuerSignature),
        "key binding missing": (.missingKeyBinding, .keyBinding),
        "no cnf": (.missingHolderKey, .holderKey),
        "kb alg": (.algorithmNotAllowed, .keyBindingAlgorithm),
        "kb typ": (.wrongType, .keyBindingType),
        "kb signature": (.invalidSignature, .keyBindingSignature),
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
