import CryptoCore
import JOSEKit
import JSONKit
package import OID4VPMessages
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension AuthorizationResponder {
    /// The parameters with the state, encrypted and signed as the request was read to demand.
    func protected(
        _ parameters: JSONObject,
        _ content: PresentationRequest,
        at time: Date,
        using random: some RandomSource
    ) async throws(OID4VPError) -> JSONObject {
        var parameters = parameters
        if let state = content.state { parameters["state"] = .string(state) }
        guard content.target.mode.isJWT else { return parameters }
        return try await protected(
            parameters,
            content.encryption,
            signedWith: content.responseSigning,
            at: time,
            using: random
        )
    }

    /// The parameters as a JWT: encrypted, signed, or signed and then encrypted (JARM, section 2.2).
    func protected(
        _ parameters: JSONObject,
        _ encryption: ResponseEncryption?,
        signedWith algorithm: JWSAlgorithm?,
        at time: Date,
        using random: some RandomSource
    ) async throws(OID4VPError) -> JSONObject {
        let (wallet, verifier) = partyInfo(for: encryption)
        guard let algorithm else {
            guard let encryption else { throw OID4VPError(.encryptionImpossible, .noEncryptionKey) }
            let text = try encryption.encrypt(parameters, partyUInfo: wallet, partyVInfo: verifier, using: random)
            return ["response": .string(text)]
        }
        let token = try await signed(parameters, with: algorithm, at: time)
        let text: String
        if let encryption {
            text = try encryption.encrypt(signed: token, partyUInfo: wallet, partyVInfo: verifier, using: random)
        } else {
            text = try Self.signing { () throws(JOSEError) in try token.compactSerialization() }
        }
        return ["response": .string(text)]
    }

    /// The information of wallet and verifier for the key derivation; none if mdocs are bound as in 1.0, and for keys
    /// that are not agreed on.
    ///
    /// The drafts of ISO/IEC TS 18013-7 have both for mdocs, and deployed wallets for every format.
    package func partyInfo(for encryption: ResponseEncryption?) -> (wallet: [UInt8]?, verifier: [UInt8]?) {
        guard request.usesDraftHandover, encryption?.agreesOnKey == true else { return (nil, nil) }
        let nonce = request.parameters.members["nonce"]?.stringValue
        return (Array(mdocGeneratedNonce.utf8), nonce.map { Array($0.utf8) })
    }

    private func signed(
        _ parameters: JSONObject,
        with algorithm: JWSAlgorithm,
        at time: Date
    ) async throws(OID4VPError) -> JWT {
        guard let signing else { throw OID4VPError(.signingImpossible, "the wallet signs no responses") }
        var claims = JWTClaims(["iss": .string(signing.issuer)])
        claims["aud"] = .string(request.audience)
        claims.setExpirationTime(time.addingTimeInterval(signing.lifetime))
        for (name, value) in parameters { claims[name] = value }
        var header: JOSEHeader = ["alg": .string(algorithm.rawValue)]
        if let keyID = signing.keyID { header["kid"] = .string(keyID) }
        do throws(JOSEError) {
            return try await JWT.sign(claims, header: header, with: signing.signer)
        } catch {
            throw Self.unsigned(error)
        }
    }

    private static func signing<Value>(_ body: () throws(JOSEError) -> Value) throws(OID4VPError) -> Value {
        do throws(JOSEError) {
            return try body()
        } catch {
            throw unsigned(error)
        }
    }

    private static func unsigned(_ error: JOSEError) -> OID4VPError {
        OID4VPError(
            .signingImpossible,
            "the response cannot be signed",
            path: error.path,
            cause: error.withoutPlace
        )
    }
}
