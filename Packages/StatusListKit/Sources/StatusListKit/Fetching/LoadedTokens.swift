import COSEKit
import JOSEKit
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A signed list, read and not verified.
protocol ListToken: Sendable {
    var encodedBytes: [UInt8] { get }

    /// The time of issue that the token claims (`iat`); nil without one that can be read.
    func unverifiedIssuedAt(_ limits: StatusListLimits) -> Date?
}

/// The tokens that a client was given for lists that cannot be fetched.
///
/// Of one URI it keeps two: the one that claims the latest time of issue, and one other, the last that came. An older snapshot thus never
/// takes the place of a newer one, and a token with an invented time does not keep all others out. Both are verified when they are used.
struct LoadedTokens<Token: ListToken>: Sendable {
    private struct Entry {
        var latest: Token
        var other: Token?
    }

    private let limits: StatusListLimits
    private var byURI: [ExactText: Entry] = [:]

    init(_ tokens: [(uri: String, token: Token)], limits: StatusListLimits) {
        self.limits = limits
        insert(tokens)
    }

    mutating func insert(_ tokens: [(uri: String, token: Token)]) {
        for (uri, token) in tokens {
            let uri = ExactText(uri)
            guard let known = byURI[uri]?.latest, known.encodedBytes != token.encodedBytes else {
                byURI[uri] = Entry(latest: token, other: byURI[uri]?.other)
                continue
            }
            let isLater = issuedAt(token) >= issuedAt(known)
            byURI[uri] = isLater ? Entry(latest: token, other: known) : Entry(latest: known, other: token)
        }
    }

    /// The tokens of a URI: none, one or two.
    subscript(uri: String) -> [Token] {
        byURI[ExactText(uri)].map { [$0.latest, $0.other].compactMap(\.self) } ?? []
    }

    /// The tokens of each URI in the order of the times of issue that they claim.
    var byTimeOfIssue: [ExactText: [(issuedAt: Date, token: Token)]] {
        byURI.mapValues { entry in
            [entry.other, entry.latest].compactMap(\.self).map { (issuedAt: issuedAt($0), token: $0) }
        }
    }

    /// Returns `true` if there are tokens of a URI.
    func contains(_ uri: ExactText) -> Bool { byURI[uri] != nil }

    private func issuedAt(_ token: Token) -> Date { token.unverifiedIssuedAt(limits) ?? .distantPast }
}

extension StatusListToken: ListToken {
    func unverifiedIssuedAt(_ limits: StatusListLimits) -> Date? {
        let claims: TokenClaims? =
            switch content {
            case .jwt(let jwt):
                try? TokenClaims(JWTClaims(decoding: jwt.jws.unverifiedPayload ?? [], limits: limits.jose))
            case .sign1(let message):
                try? TokenClaims(CWTClaims(decoding: message.unverifiedPayload ?? [], options: limits.cbor))
            case .mac0(let message):
                try? TokenClaims(CWTClaims(decoding: message.unverifiedPayload ?? [], options: limits.cbor))
            }
        return claims?.issuedAt
    }
}

extension IdentifierListToken: ListToken {
    func unverifiedIssuedAt(_ limits: StatusListLimits) -> Date? {
        let payload = message.unverifiedPayload ?? []
        return (try? TokenClaims(CWTClaims(decoding: payload, options: limits.identifierListCBOR)))?.issuedAt
    }
}
