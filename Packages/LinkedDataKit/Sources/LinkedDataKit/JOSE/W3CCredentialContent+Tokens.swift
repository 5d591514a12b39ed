public import CryptoCore
public import JOSEKit
import JSONKit
@_spi(Layers) public import VerificationCore

extension W3CCredentialContent {
    /// The claims of a token of this credential, in the form of its version of the data model.
    ///
    /// In 1.1 the credential is the claim `vc`, beside `iss`, `sub`, `jti`, `nbf` and `exp`, which repeat what it says
    /// (section 6.3.1). In 2.0 it is the payload. Sign them in two steps with `JWS.Unsigned` and
    /// ``tokenHeader(keyID:)``.
    public var tokenClaims: JWTClaims {
        guard version == .v1 else { return JWTClaims(members) }
        var claims: JWTClaims = ["iss": .string(issuer.id.text)]
        if subjects.count == 1, let subject = subjects[0].id { claims.setSubject(subject.text) }
        if let id { claims["jti"] = .string(id.text) }
        if let date = members["issuanceDate"]?.stringValue.flatMap(XMLDateTime.dateAssumingUTC) {
            claims.setNotBefore(date)
        }
        if let date = members["expirationDate"]?.stringValue.flatMap(XMLDateTime.dateAssumingUTC) {
            claims.setExpirationTime(date)
        }
        claims["vc"] = .object(members)
        return claims
    }

    /// The header of a token of this credential.
    ///
    /// - Parameter keyID: The name of the key, a DID URL.
    public func tokenHeader(keyID: String) -> JOSEHeader {
        JOSEHeader(type: version == .v1 ? "JWT" : "vc+jwt", keyID: keyID)
    }

    /// Signs the credential as a token.
    ///
    /// - Parameters:
    ///   - keyID: The name of the key, a DID URL.
    ///   - signer: The key, wherever it lives.
    /// - Throws: ``LinkedDataError/Code/signingFailed``.
    public func signedToken(
        keyID: String,
        with signer: any Signer
    ) async throws(LinkedDataError) -> VerifiableCredential {
        VerifiableCredential(.token(try await .signing(tokenClaims, tokenHeader(keyID: keyID), with: signer)))
    }
}

extension W3CPresentationContent {
    /// The claims of a token of this presentation, in the form of its version of the data model.
    ///
    /// - Parameters:
    ///   - nonce: The verifier's value, or nil.
    ///   - audience: The verifier's name, or nil.
    public func tokenClaims(nonce: ExactText?, audience: ExactText?) -> JWTClaims {
        var claims = version == .v1 ? JWTClaims() : JWTClaims(members)
        if let holder { claims.setIssuer(holder.id.text) }
        if let audience { claims.setAudience([audience.text]) }
        if let nonce { claims["nonce"] = .string(nonce.text) }
        guard version == .v1 else { return claims }
        if let id { claims["jti"] = .string(id.text) }
        claims["vp"] = .object(members)
        return claims
    }

    /// The header of a token of this presentation.
    ///
    /// - Parameter keyID: The name of the key, a DID URL.
    public func tokenHeader(keyID: String) -> JOSEHeader {
        JOSEHeader(type: version == .v1 ? "JWT" : "vp+jwt", keyID: keyID)
    }

    /// Signs the presentation as a token.
    ///
    /// - Parameters:
    ///   - nonce: The verifier's value, or nil.
    ///   - audience: The verifier's name, or nil.
    ///   - keyID: The name of the key, a DID URL.
    ///   - signer: The key, wherever it lives.
    /// - Throws: ``LinkedDataError/Code/signingFailed``.
    public func signedToken(
        nonce: ExactText?,
        audience: ExactText?,
        keyID: String,
        with signer: any Signer
    ) async throws(LinkedDataError) -> VerifiablePresentation {
        let claims = tokenClaims(nonce: nonce, audience: audience)
        return VerifiablePresentation(.token(try await .signing(claims, tokenHeader(keyID: keyID), with: signer)))
    }
}

extension JWT {
    fileprivate static func signing(
        _ claims: JWTClaims,
        _ header: JOSEHeader,
        with signer: any Signer
    ) async throws(LinkedDataError) -> JWT {
        do throws(JOSEError) {
            return try await JWT.sign(claims, header: header, with: signer)
        } catch {
            throw LinkedDataError(.signingFailed, error.message, path: error.path, cause: error)
        }
    }
}
