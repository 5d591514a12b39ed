import CredentialServing
import CryptoCore
import HTTPTypes
import IRMAMessages
import JOSEKit
import JSONKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds out which requestor sent a message.
struct RequestorAuthenticator {
    let registry: RequestorRegistry
    /// The current time in seconds since 1970.
    let time: Int64

    /// A message of a requestor; the name is that of the key or token which proved it.
    struct Authenticated {
        let requestor: String
        let content: RequestorTokenClaims.Content
    }

    /// The kind of message that an endpoint takes.
    enum Kind {
        case session
        case revocation
    }

    /// The requestor and its message.
    ///
    /// - Parameters:
    ///   - fields: The header of the request.
    ///   - kind: The kind of message that the endpoint takes.
    ///   - read: Reads the body, which does not happen for an unknown token.
    /// - Throws: `INVALID_REQUEST` for a message that cannot be read or authenticated, and for a signed request outside the times
    ///   that it names; `UNAUTHORIZED` for an unknown token and for a signed request that is too old.
    func authenticate(
        _ fields: HTTPFields,
        as kind: Kind,
        reading read: () async throws(RemoteError) -> [UInt8]
    ) async throws(RemoteError) -> Authenticated {
        let authorization = fields[.authorization] ?? ""
        let type = fields[.contentType] ?? ""
        guard registry.requestors != nil else {
            guard authorization.isEmpty, type.hasPrefix("application/json") else { throw notApplicable(type) }
            return Authenticated(requestor: "", content: try content(of: try await read(), kind))
        }
        if authorization.isEmpty, type.hasPrefix("text/plain") { return try verified(try await read(), kind) }
        guard !authorization.isEmpty, type.hasPrefix("application/json") else { throw notApplicable(type) }
        guard let requestor = requestor(withToken: authorization) else { throw RemoteError(.unauthorized) }
        return Authenticated(requestor: requestor.name, content: try content(of: try await read(), kind))
    }

    private func notApplicable(_ type: String) -> RemoteError {
        let isKnown = type.hasPrefix("application/json") || type.hasPrefix("text/plain")
        return .invalidRequest(
            isKnown ? "request could not be authenticated" : "Unsupported Content-Type: \(type.prefix(100))"
        )
    }

    /// The requestor with a token; every token is compared, in a time that does not depend on its content.
    private func requestor(withToken token: String) -> Requestor? {
        let given = Array(token.utf8)
        var found: Requestor?
        for requestor in registry.requestors ?? [] {
            guard case .token(let own) = requestor.authentication else { continue }
            if constantTimeEqual(own, given) { found = requestor }
        }
        return found
    }

    private func content(of body: [UInt8], _ kind: Kind) throws(RemoteError) -> RequestorTokenClaims.Content {
        do throws(IRMAError) {
            switch kind {
            case .session: return .session(try RequestorMessage(decoding: body))
            case .revocation: return .revocation(try RevocationRequest(decoding: body))
            }
        } catch {
            throw .invalidRequest(error.displayText)
        }
    }

    /// Verifies a signed message with the key of the requestor that it names.
    private func verified(_ body: [UInt8], _ kind: Kind) throws(RemoteError) -> Authenticated {
        do {
            let limits = JOSELimits.requestorMessage
            let token = try JWT(compact: Self.withoutLineEnd(body), limits: limits)
            let header = try token.unverifiedHeader()
            // The header's name wins; the key that is looked up by it then proves the name.
            guard let name = try header.keyID() ?? token.unverifiedIssuer(limits: limits),
                let requestor = registry.requestor(name)
            else { throw RemoteError.invalidRequest("Unknown requestor") }
            let (key, policy) = try Self.key(of: requestor)
            let verified = try token.jws.verify(
                with: key,
                policy: policy,
                at: Date(timeIntervalSince1970: Double(time))
            )
            let claims = try RequestorTokenClaims(decoding: verified.payload)
            try checkTime(of: JWTClaims(decoding: verified.payload, limits: limits), issuedAt: claims.issuedAt)
            switch (claims.content, kind) {
            case (.session, .session), (.revocation, .revocation): break
            default: throw RemoteError.invalidRequest("a message for another endpoint")
            }
            return Authenticated(requestor: requestor.name, content: claims.content)
        } catch let error as RemoteError {
            throw error
        } catch let error as IRMAError {
            throw .invalidRequest(error.displayText)
        } catch let error as JOSEError {
            throw .invalidRequest("the token is refused: \(error.code)")
        } catch {
            throw .invalidRequest("the token is refused")
        }
    }

    /// The body without line ends behind the token, which the reference passes over, too: files and pipes have them.
    private static func withoutLineEnd(_ body: [UInt8]) -> [UInt8] {
        let end = body.lastIndex { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return Array(body[..<(end.map { $0 + 1 } ?? 0)])
    }

    private static func key(of requestor: Requestor) throws -> (JWSKey, JWSVerificationPolicy) {
        switch requestor.authentication {
        case .token: throw RemoteError.invalidRequest("Unknown requestor")
        case .hmac(let key, let allowsShortKey):
            return (
                .symmetric(key), JWSVerificationPolicy(algorithms: [.hs256], allowsShortMACKeys: allowsShortKey)
            )
        case .publicKey(let key):
            return (.publicKey(key), [.rs256, .es256, .es384, .es512])
        }
    }

    private func checkTime(of claims: JWTClaims, issuedAt: Int64) throws {
        let age = time.subtractingReportingOverflow(issuedAt)
        guard !age.overflow, age.partialValue <= registry.maximumRequestAge else {
            throw RemoteError(.unauthorized, message: "jwt too old")
        }
        guard age.partialValue >= 0 else { throw RemoteError.invalidRequest("the token is used before it was issued") }
        let now = Date(timeIntervalSince1970: Double(time))
        if let end = try claims.expirationTime(), end <= now {
            throw RemoteError.invalidRequest("the token is expired")
        }
        if let start = try claims.notBefore(), start > now {
            throw RemoteError.invalidRequest("the token is not valid yet")
        }
    }
}

extension JOSELimits {
    /// The limits of a requestor's signed message: its request may be as large as an unsigned one.
    static let requestorMessage: JOSELimits = {
        var limits = JOSELimits.default
        limits.size = 14 << 20
        limits.depth = 32
        return limits
    }()
}
