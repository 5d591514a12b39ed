import CryptoCore
import JOSEKit
public import JSONKit
@_spi(Layers) import VerificationCore

/// A response as it arrived, not yet decrypted and not for any transaction.
///
/// ```swift
/// let response = try ReceivedResponse(form: body)
/// let transaction = try await store.transaction(state: response.state, keyID: response.keyID)
/// let answer = try await ResponseReader().read(response, for: transaction.expectation, at: now)
/// ```
public struct ReceivedResponse: Sendable {
    /// The parameters as received.
    public let parameters: ResponseParameters
    /// The origin of the page that received the response from the platform; nil for other ways.
    public let origin: String?
    /// The JWE of the response once ``readJWE()`` has read it; nil before that, and for any other response.
    private var jwe: JWE?
    private let limits: ResponseLimits
    /// The SHA-256 digest of the body of a POST in base64url, by which a wallet's second attempt is known; nil for other ways.
    ///
    /// It is nil for an error in the clear, too: anybody who has seen the request can write the same body.
    let digest: String?

    /// Reads the body of a POST, or the query or the fragment of a redirect.
    ///
    /// - Throws: ``OID4VPVerifierError/Code/malformedResponse``, ``OID4VPVerifierError/Code/limitExceeded``.
    public init(form text: some StringProtocol, limits: ResponseLimits = .default) throws(OID4VPVerifierError) {
        do throws(OID4VPError) {
            parameters = try ResponseParameters(form: text, limits: limits)
        } catch {
            throw OID4VPVerifierError(reading: error)
        }
        origin = nil
        digest = nil
        self.limits = limits
    }

    /// Reads the bytes of the body of a POST.
    ///
    /// - Throws: As for a text.
    public init(form bytes: ArraySlice<UInt8>, limits: ResponseLimits = .default) throws(OID4VPVerifierError) {
        do throws(OID4VPError) {
            parameters = try ResponseParameters(form: bytes, limits: limits)
        } catch {
            throw OID4VPVerifierError(reading: error)
        }
        origin = nil
        let isOfWallet = parameters["response"] != nil || parameters["vp_token"] != nil
        digest = isOfWallet ? Base64URL.encode(HashAlgorithm.sha256.digest(of: bytes)) : nil
        self.limits = limits
    }

    /// Takes the object that the platform handed to a page (Digital Credentials API).
    ///
    /// - Parameters:
    ///   - object: The member `data` of the platform's answer.
    ///   - origin: The origin of the page, as the verifier's own frontend knows it.
    public init(digitalCredentials object: JSONObject, origin: String) {
        parameters = ResponseParameters(object)
        self.origin = origin
        digest = nil
        limits = .default
    }

    /// The state in the clear, for finding the transaction; `nil` without one.
    public var state: String? { parameters["state"]?.stringValue }

    /// The name of the key that the response is encrypted to, for finding the transaction; `nil` without one.
    public var keyID: String? {
        var response = self
        return response.readJWE().flatMap { try? $0.protectedHeader.keyID() }
    }

    /// Reads the JWE of the response, without decrypting it; nil for any other response.
    mutating func readJWE() -> JWE? {
        if jwe == nil, let text = parameters.textBytes("response") {
            jwe = try? JWE(compact: text, limits: JOSELimits(size: limits.size, depth: limits.depth))
        }
        return jwe
    }

    /// The JWE that ``readJWE()`` has read under limits no wider than others; nil where it has to be read under those.
    func knownJWE(within others: ResponseLimits) -> JWE? {
        limits.size <= others.size && limits.depth <= others.depth ? jwe : nil
    }
}

/// The meaning of a response that was read for its transaction; no presentation in it is verified.
public enum WalletResponse: Sendable {
    /// Presentations.
    case presentations(PresentationResponse)
    /// An error, or the user's refusal.
    case error(WalletErrorResponse)
}

/// The presentations of a response, none of them verified.
public struct PresentationResponse: Sendable {
    /// The presentations.
    public let token: VPToken
    /// The origin of the page that received the response; nil for other ways than the Digital Credentials API.
    public let origin: String?
    /// The wallet's own nonce for mdocs of drafts before 26 (`apu` of the encrypted response); nil for none.
    public let mdocGeneratedNonce: String?
    /// The deviations that tolerances let pass.
    public let deviations: [Deviation]

    init(token: VPToken, origin: String?, mdocGeneratedNonce: String?, deviations: [Deviation]) {
        self.token = token
        self.origin = origin
        self.mdocGeneratedNonce = mdocGeneratedNonce
        self.deviations = deviations
    }
}

/// An error response of a wallet (section 8.5).
public struct WalletErrorResponse: Hashable, Sendable {
    /// The code.
    public let code: AuthorizationErrorCode
    /// The wallet's text for developers; nil for none.
    public let description: String?
}

extension OID4VPVerifierError {
    /// The error for parameters that cannot be read.
    init(reading error: OID4VPError) {
        self.init(
            error.code == .limitExceeded ? .limitExceeded : .malformedResponse,
            "the parameters cannot be read",
            path: error.path,
            cause: error.withoutPlace
        )
    }
}
