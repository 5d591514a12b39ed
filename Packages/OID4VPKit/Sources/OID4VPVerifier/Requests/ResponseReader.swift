import CryptoCore
@_spi(Layers) public import JOSEKit
import JSONKit
@_spi(Layers) import VerificationCore

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Reads responses for their transactions: decrypts them, and compares the state (section 8; JARM).
///
/// An error concerns the message alone. The transaction can stay open, since anyone can send a malformed one.
public struct ResponseReader: Sendable {
    /// The tolerances and limits.
    public var options: ResponseReadingOptions
    /// The keys of wallets that sign responses (JARM), by their name as issuer; other signed responses are refused.
    public var walletKeys: [ExactText: JWKSet]
    /// The tolerated difference of clocks for signed responses, in seconds.
    public var clockSkew: TimeInterval

    /// Makes a reader.
    public init(
        options: ResponseReadingOptions = .strict,
        walletKeys: [ExactText: JWKSet] = [:],
        clockSkew: TimeInterval = VerificationTime.defaultClockSkew
    ) {
        self.options = options
        self.walletKeys = walletKeys
        self.clockSkew = clockSkew
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - response: The response as it arrived.
    ///   - expectation: The expectation of the transaction.
    ///   - time: The time.
    /// - Throws: ``OID4VPVerifierError`` with a code for responses; ``OID4VPVerifierError/Code/notEncrypted`` for
    ///   presentations in the clear if encryption was asked for, ``OID4VPVerifierError/Code/stateMismatch`` for the
    ///   response to another request, and ``OID4VPVerifierError/Code/originMismatch`` for one to another page.
    public func read(
        _ response: ReceivedResponse,
        for expectation: ResponseExpectation,
        at time: Date
    ) async throws(OID4VPVerifierError) -> WalletResponse {
        try Self.checkChannel(response, expectation)
        let content = try await content(of: response, expectation, at: time)
        let (state, code) = try Self.converting { () throws(OID4VPError) in
            (try content.parameters.state, try content.parameters.errorCode)
        }
        guard Self.isState(state, of: expectation) else {
            throw OID4VPVerifierError(.stateMismatch, "the state is not that of the request", path: ["state"])
        }
        guard let code else {
            return try Self.converting { () throws(OID4VPError) in
                .presentations(try presentations(content, response, expectation))
            }
        }
        guard !content.parameters.contains("vp_token") else {
            throw OID4VPVerifierError(.malformedResponse, "an error has no presentations", path: ["error"])
        }
        let description = content.parameters["error_description"]?.stringValue
        return .error(WalletErrorResponse(code: code, description: description))
    }

    private static func converting<Value>(
        _ body: () throws(OID4VPError) -> Value
    ) throws(OID4VPVerifierError) -> Value {
        do throws(OID4VPError) {
            return try body()
        } catch {
            throw OID4VPVerifierError(reading: error)
        }
    }

    /// The parameters that count, and the wallet's information for the key derivation.
    struct Content {
        var parameters: ResponseParameters
        var partyUInfo: [UInt8]?
    }

    private func presentations(
        _ content: Content,
        _ response: ReceivedResponse,
        _ expectation: ResponseExpectation
    ) throws(OID4VPError) -> PresentationResponse {
        var deviations: [Deviation] = []
        let token =
            switch expectation.query {
            case .dcql(let query):
                try VPToken(content.parameters, answering: query, options: options, deviations: &deviations)
            case .definition(let definition):
                try VPToken(content.parameters, answering: definition, options: options, deviations: &deviations)
            }
        return PresentationResponse(
            token: token,
            origin: response.origin,
            // Some wallets send the bytes of their nonce, and sign its text.
            mdocGeneratedNonce: content.partyUInfo.map {
                String(validating: $0, as: UTF8.self) ?? Base64URL.encode($0)
            },
            deviations: deviations
        )
    }

    /// A response of a platform has the origin of a page that the request was made for, and no other response has one.
    private static func checkChannel(
        _ response: ReceivedResponse,
        _ expectation: ResponseExpectation
    ) throws(OID4VPVerifierError) {
        switch (expectation.channel, response.origin) {
        case (.address, nil): return
        case (.digitalCredentials(let origins), let origin?):
            guard !origins.contains(where: origin.hasSameBytes) else { return }
            throw OID4VPVerifierError(.originMismatch, "the request was not made for \(origin)", path: ["origin"])
        default:
            throw OID4VPVerifierError(.malformedResponse, "the response came by another way than the request asked for")
        }
    }

    /// Compares in constant time: the state is all that links a presentation without holder binding to its request.
    private static func isState(_ state: String?, of expectation: ResponseExpectation) -> Bool {
        guard let expected = expectation.state else { return state == nil }
        guard let state else { return false }
        return constantTimeEqual(Array(state.utf8), Array(expected.utf8))
    }
}

extension ResponseReader {
    private func content(
        of response: ReceivedResponse,
        _ expectation: ResponseExpectation,
        at time: Date
    ) async throws(OID4VPVerifierError) -> Content {
        let parameters = response.parameters
        guard parameters.contains("response") else {
            // A wallet that cannot encrypt says so in the clear.
            guard !expectation.mode.isJWT || parameters.contains("error") else {
                throw OID4VPVerifierError(.notEncrypted, "the response is not encrypted", path: ["response"])
            }
            guard !expectation.mode.isJWT || !parameters.contains("vp_token") else {
                throw OID4VPVerifierError(.notEncrypted, "the presentations are not encrypted", path: ["vp_token"])
            }
            return Content(parameters: parameters)
        }
        guard expectation.mode.isJWT else {
            throw OID4VPVerifierError(.malformedResponse, "no JWT was asked for", path: ["response"])
        }
        guard let text = parameters.textBytes("response") else {
            throw OID4VPVerifierError(.malformedResponse, "it is no text", path: ["response"])
        }
        guard text.count <= options.limits.size else {
            throw OID4VPVerifierError(.limitExceeded, "it is too long", path: ["response"])
        }
        let hasOthers = Self.contents.contains(where: parameters.contains)
        guard !hasOthers, response.state == nil || Self.isState(response.state, of: expectation) else {
            throw OID4VPVerifierError(.malformedResponse, "parameters stand beside the JWT", path: ["response"])
        }
        guard expectation.decryption != nil else {
            return Content(parameters: try signedParameters(text, expectation, at: time))
        }
        guard ByteScan.places(of: UInt8(ascii: "."), in: text.span, atMost: 5).count == 4 else {
            // A signature alone does not replace the encryption that was asked for.
            throw OID4VPVerifierError(.notEncrypted, "the response is no JWE", path: ["response"])
        }
        return try await decrypted(text, response.knownJWE(within: options.limits), expectation, at: time)
    }

    /// - Parameter known: The JWE of the text, if it was read before within the limits.
    private func decrypted(
        _ text: ArraySlice<UInt8>,
        _ known: JWE?,
        _ expectation: ResponseExpectation,
        at time: Date
    ) async throws(OID4VPVerifierError) -> Content {
        guard let decryption = expectation.decryption else {
            throw OID4VPVerifierError(.decryptionFailed, "the transaction has no key", path: ["response"])
        }
        let decrypted: DecryptedJWE
        let partyUInfo: [UInt8]
        do throws(JOSEError) {
            let limits = JOSELimits(size: options.limits.size, depth: options.limits.depth)
            let jwe = if let known { known } else { try JWE(compact: text, limits: limits) }
            if let keyID = try jwe.protectedHeader.keyID(), let own = decryption.key.keyID {
                guard keyID.hasSameBytes(as: own) else {
                    throw JOSEError(.keyMismatch, "the response is encrypted to another key", path: ["kid"])
                }
            }
            decrypted = try await jwe.decrypt(with: .jwk(decryption.key), policy: decryption.policy)
            partyUInfo = try decrypted.header.agreementPartyUInfo()
        } catch {
            throw OID4VPVerifierError(
                .decryptionFailed,
                "the response cannot be decrypted",
                path: ["response"] + error.path,
                cause: error.withoutPlace
            )
        }
        let parameters = try parameters(decrypted.plaintext, expectation, at: time)
        return Content(parameters: parameters, partyUInfo: partyUInfo.isEmpty ? nil : partyUInfo)
    }

    /// The parameters in the content of a JWE: an object, or a signed JWT (JARM).
    private func parameters(
        _ plaintext: [UInt8],
        _ expectation: ResponseExpectation,
        at time: Date
    ) throws(OID4VPVerifierError) -> ResponseParameters {
        if plaintext.first == UInt8(ascii: "e") { return try signedParameters(plaintext[...], expectation, at: time) }
        do throws(OID4VPError) {
            return try ResponseParameters(decoding: plaintext, limits: options.limits)
        } catch {
            throw OID4VPVerifierError(reading: error)
        }
    }

    /// The parameters of a response that the wallet signed (JARM, section 4.1).
    private func signedParameters(
        _ text: ArraySlice<UInt8>,
        _ expectation: ResponseExpectation,
        at time: Date
    ) throws(OID4VPVerifierError) -> ResponseParameters {
        func invalid(_ message: String, _ cause: (any Error)? = nil) -> OID4VPVerifierError {
            OID4VPVerifierError(.invalidSignedResponse, message, path: ["response"], cause: cause)
        }
        guard let clientID = expectation.clientID else { throw invalid("a signed response needs a client") }
        do {
            let token = try JWT(compact: text, limits: JOSELimits(size: options.limits.size))
            guard let issuer = try token.unverifiedIssuer(), let keys = walletKeys[ExactText(issuer)] else {
                throw invalid("no key of the wallet is known")
            }
            let policy = JWTClaimsPolicy(
                type: .any,
                issuers: [ExactText(issuer)],
                audience: .named(ExactText(clientID)),
                requiredClaims: ["iss", "aud", "exp"],
                clockSkew: clockSkew
            )
            let algorithms = JWSVerificationPolicy(algorithms: Self.signatureAlgorithms)
            let verified = try token.verify(with: keys, policy: algorithms, claims: policy, at: time).get()
            return ResponseParameters(verified.claims.members)
        } catch let error as OID4VPVerifierError {
            throw error
        } catch {
            throw invalid("the signature or the claims are not valid", error)
        }
    }

    /// The parameters that belong into the JWT; others that nobody defined are ignored beside it (section 8.1).
    private static let contents = [
        "vp_token", "presentation_submission", "error", "error_description", "error_uri", "id_token", "code",
    ]

    private static let signatureAlgorithms: Set<JWSAlgorithm> = [
        .es256, .es384, .es512, .es256K, .edDSA, .ed25519, .ps256, .ps384, .ps512, .rs256,
    ]
}
