import COSEKit
import CryptoCore
import JOSEKit
public import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension StatusListToken {
    /// The checks of a token, in the order of Token Status List, section 8.3.
    ///
    /// `type` stands for the form too, `signature` for the signer's right to sign lists.
    public static let checks: [Check] =
        [.type, .signature, .requiredClaims] + ClaimsRules.checks + [.statusList]

    /// Verifies the token as the one of a reference (Token Status List, section 8.3).
    ///
    /// - Parameters:
    ///   - uri: The `uri` of the reference, which the token's `sub` must be, byte for byte.
    ///   - key: The signer that the token must have.
    ///   - policy: The policy for tokens: algorithms, forms, ages.
    ///   - time: The time.
    public func verify(
        for uri: String,
        with key: StatusListKey,
        policy: StatusListPolicy,
        at time: Date
    ) -> Verification<VerifiedStatusList> {
        var checklist = Checklist(Self.checks, at: time)
        for deviation in deviations { checklist.add(deviation) }
        let typeDeviations = checklist.check(.type) { () throws(CheckFault) in try requireType(policy) }
        guard let typeDeviations else { return checklist.verification(of: nil) }
        for deviation in typeDeviations { checklist.add(deviation) }
        let signed = checklist.check(.signature) { () throws(CheckFault) in
            try signedClaims(key, policy, at: time)
        }
        guard let signed else { return checklist.verification(of: nil) }
        for deviation in signed.deviations { checklist.add(deviation) }
        let claims = checklist.check(.requiredClaims) { () throws(CheckFault) in try signed.claims(policy.limits) }
        guard let claims else { return checklist.verification(of: nil) }
        policy.claimsRules(for: uri).check(claims.token.registered, in: &checklist)
        guard !checklist.isRefused else { return checklist.verification(of: nil) }
        let list = checklist.check(.statusList) { () throws(CheckFault) in try claims.list(policy.limits) }
        let verified = list.map {
            VerifiedStatusList(claims.token, $0, token: self, signed, deviations + typeDeviations, for: uri)
        }
        return checklist.verification(of: verified)
    }

    /// Refuses a token that says it is something else, so that no other signed object of the same key passes for a list.
    ///
    /// - Returns: The deviation of a CWT's type without `application/`.
    private func requireType(_ policy: StatusListPolicy) throws(CheckFault) -> [Deviation] {
        guard policy.accepts(form) else {
            throw .failed(.unexpectedType, "the policy does not accept the form \(form.rawValue)")
        }
        let type = try type()
        if type == form.rawValue { return [] }
        guard policy.tolerances.contains(.shortType), type.map({ "application/" + $0 }) == form.rawValue else {
            throw .failed(.unexpectedType, "typ is not \(form.rawValue)", path: ["typ"])
        }
        return [Deviation(StatusListTolerance.shortType.description, at: ["typ"])]
    }

    /// The media type that the protected header names, in lower case and in full, or nil.
    private func type() throws(CheckFault) -> String? {
        switch content {
        case .jwt(let jwt):
            let type = try CheckFault.converting { () throws(JOSEError) in try jwt.unverifiedHeader().type() }
            // In JOSE `application/` is left out (RFC 7515 section 4.1.9).
            return type.map { $0.contains("/") ? $0.lowercased() : "application/" + $0.lowercased() }
        case .sign1(let message): return try Self.type(in: message.headers)
        case .mac0(let message): return try Self.type(in: message.headers)
        }
    }

    private static func type(in headers: COSEHeaders) throws(CheckFault) -> String? {
        switch try CheckFault.converting({ () throws(COSEError) in try headers.protected.type() }) {
        case .mediaType(let name): name.lowercased()
        case .coapContentFormat(StatusListToken.contentFormat): Form.cwt.rawValue
        case .coapContentFormat, nil: nil
        }
    }

    /// The payload, once the signature or MAC over it is verified, and the chain that its key was taken from.
    private func signedClaims(
        _ key: StatusListKey,
        _ policy: StatusListPolicy,
        at time: Date
    ) throws(CheckFault) -> SignedClaims {
        switch content {
        case .jwt(let jwt):
            let algorithms = JWSVerificationPolicy(algorithms: policy.jwtAlgorithms)
            return .jwt(
                try CheckFault.converting { () throws(JOSEError) in
                    try jwt.jws.verify(with: key.jose, policy: algorithms, at: time)
                }
            )
        case .sign1(let message):
            let (key, signer) = try key.publicKey(from: message.headers, policy, at: time)
            let algorithms = COSEPolicy(algorithms: policy.cwtAlgorithms)
            return .cwt(
                try CheckFault.converting { () throws(COSEError) in try message.verify(with: key, policy: algorithms) },
                signer
            )
        case .mac0(let message):
            let key = try key.sharedKey()
            let algorithms = COSEPolicy(algorithms: policy.cwtAlgorithms)
            return .cwt(
                try CheckFault.converting { () throws(COSEError) in try message.verify(with: key, policy: algorithms) },
                nil
            )
        }
    }
}

/// The verified payload of a status list token.
enum SignedClaims {
    case jwt(VerifiedJWS)
    case cwt(COSEVerifiedPayload, ListSigner?)

    /// The chain of the signer, or nil for a key that the caller gave.
    var certificateChain: ValidatedCertificateChain? {
        switch self {
        case .jwt(let jws): jws.certificateChain
        case .cwt(_, let signer): signer?.chain
        }
    }

    /// The deviations of header and certificates that a tolerance let pass.
    var deviations: [Deviation] {
        switch self {
        case .jwt(let jws): jws.deviations
        case .cwt(_, let signer): signer?.deviations ?? []
        }
    }

    func claims(_ limits: StatusListLimits) throws(CheckFault) -> StatusListTokenClaims {
        switch self {
        case .jwt(let jws):
            try StatusListTokenClaims(
                CheckFault.converting { () throws(JOSEError) in
                    try JWTClaims(decoding: jws.payload, limits: limits.jose)
                }
            )
        case .cwt(let payload, _):
            try StatusListTokenClaims(
                CheckFault.converting { () throws(COSEError) in
                    try CWTClaims(decoding: payload.payload, options: limits.cbor)
                }
            )
        }
    }
}

extension Check {
    /// The status list in the token can be decompressed within the limits.
    public static let statusList: Check = "statusList"
}
