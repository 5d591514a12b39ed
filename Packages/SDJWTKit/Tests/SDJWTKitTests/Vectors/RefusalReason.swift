import SDJWTKit

/// The meaning of a case's message about a refusal.
struct RefusalReason {
    /// The error of a text that cannot even be read, or the reason that a check must give.
    enum Meaning {
        case unreadable(SDJWTError.Code)
        case refused(Reason, Check)
    }

    let meaning: Meaning

    private static let reasons: [String: Meaning] = [
        "no tilde": .unreadable(.malformed),
        "kb parts": .unreadable(.malformedJWT),
        "empty disclosure": .unreadable(.malformedDisclosure),
        "disclosure form": .unreadable(.malformedDisclosure),
        "claim name not string": .unreadable(.malformedDisclosure),
        "ValueError('base64url')": .unreadable(.malformedDisclosure),
        "duplicate member iss": .unreadable(.malformedJWT),
        "duplicate member a": .unreadable(.malformedDisclosure),
        "duplicate disclosure": .refused(.duplicateDisclosure, .digests),
        "disclosure without reference": .refused(.digestMismatch, .digests),
        "digest repeated": .refused(.digestMismatch, .digests),
        "claim name already present": .refused(.duplicateClaim, .digests),
        "reserved claim name": .refused(.reservedClaimName, .digests),
        "array-element disclosure in _sd": .refused(.wrongDisclosureKind, .digests),
        "property disclosure in array": .refused(.wrongDisclosureKind, .digests),
        "\"...\" with other members": .refused(.digestMismatch, .digests),
        "\"...\" in an object": .refused(.digestMismatch, .digests),
        "_sd not an array": .refused(.digestMismatch, .digests),
        "digest not a string": .refused(.digestMismatch, .digests),
        "unknown _sd_alg": .refused(.unsupportedHashAlgorithm, .digests),
        "alg": .refused(.algorithmNotAllowed, .issuerAlgorithm),
        "issuer signature": .refused(.invalidIssuerSignature, .issuerSignature),
        "key binding missing": .refused(.invalidHolderBinding, .keyBinding),
        "no cnf": .refused(.missingHolderKey, .holderKey),
        "kb alg": .refused(.algorithmNotAllowed, .keyBindingAlgorithm),
        "kb typ": .refused(.unexpectedType, .keyBindingType),
        "kb signature": .refused(.invalidHolderBinding, .holderBinding),
        "kb claim iat": .refused(.missingClaim, .keyBindingTime),
        "kb claim aud": .refused(.missingClaim, .keyBindingAudience),
        "kb claim nonce": .refused(.missingClaim, .nonce),
        "kb claim sd_hash": .refused(.missingClaim, .presentationHash),
        "aud": .refused(.claimMismatch, .keyBindingAudience),
        "nonce": .refused(.claimMismatch, .nonce),
        "sd_hash": .refused(.invalidHolderBinding, .presentationHash),
    ]

    /// The meaning of a message, or nil for one that is not known here.
    init?(_ message: String) {
        guard let meaning = Self.reasons[message] else { return nil }
        self.meaning = meaning
    }
}
