public import CryptoCore
public import JOSEKit
import JSONKit

extension StatusListContent {
    /// The claims of a token in JWT form.
    ///
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a list that zlib cannot take.
    public func jwtClaims() throws(StatusListError) -> JWTClaims {
        var claims = JWTClaims()
        claims.setSubject(uri)
        claims.setIssuedAt(issuedAt)
        if let expirationTime { claims.setExpirationTime(expirationTime) }
        claims["ttl"] = timeToLive.map { .integer($0) }
        claims["status_list"] = try statusList.json()
        return claims
    }

    /// Signs a token in JWT form.
    ///
    /// - Parameters:
    ///   - header: The header beside `typ` and the algorithm, such as `kid` or `x5c`.
    ///   - signer: The key, wherever it lives.
    /// - Throws: ``StatusListError/Code/signingFailed``, and the errors of the header.
    public func signedJWT(
        header: JOSEHeader = JOSEHeader(),
        with signer: any Signer
    ) async throws(StatusListError) -> StatusListToken {
        let claims = try jwtClaims()
        let jwt: JWT
        do {
            jwt = try await JWT.sign(claims, header: header.ofStatusList, with: signer)
        } catch {
            throw StatusListError(error)
        }
        return try StatusListToken(jwt)
    }

    /// A token in JWT form without its signature, for a signature that is made elsewhere.
    ///
    /// `StatusListToken(JWT(jws))` makes a token of the completed JWS.
    /// - Parameter header: The header beside `typ`; it must name the algorithm.
    /// - Throws: The error for an invalid header.
    public func unsignedJWT(header: JOSEHeader) throws(StatusListError) -> JWS.Unsigned {
        let payload = try jwtClaims().encoded()
        do {
            return try JWS.Unsigned(payload: payload, header: header.ofStatusList)
        } catch {
            throw StatusListError(error)
        }
    }
}

extension JOSEHeader {
    /// The same header with the type of a status list token.
    fileprivate var ofStatusList: JOSEHeader {
        var header = self
        header["typ"] = "statuslist+jwt"
        return header
    }
}
