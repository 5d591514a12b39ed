public import COSEKit
public import JOSEKit
import VerificationCore

/// A signed status list, as JWT or CWT, read and not verified (Token Status List, section 5).
///
/// ```swift
/// let token = try StatusListToken(jwt: bytes)
/// let verification = token.verify(for: reference.uri, with: .publicKey(issuerKey), policy: policy, at: now)
/// let status = try verification.get().status(at: reference.index)
/// ```
public struct StatusListToken: Sendable {
    /// The form of the token, one of two.
    public enum Form: String, Hashable, Sendable, CaseIterable {
        /// A JSON Web Token in the compact serialization.
        case jwt = "application/statuslist+jwt"
        /// A CBOR Web Token: COSE_Sign1 or COSE_Mac0 with its tag.
        case cwt = "application/statuslist+cwt"
    }

    /// The number of the type of a token in CWT form in the registry "CoAP Content-Formats".
    ///
    /// It may stand for the name (Token Status List, section 5.2). Tokens are written with the name, since receivers of earlier
    /// drafts know only that.
    static let contentFormat: UInt16 = 279

    enum Content: Sendable {
        case jwt(JWT)
        case sign1(COSESign1)
        case mac0(COSEMac0)
    }

    let content: Content
    /// The deviations that a tolerance let pass when the token was fetched.
    var deviations: [Deviation] = []

    /// The token as received or made.
    public let encodedBytes: [UInt8]

    /// The form of the token, one of two.
    public var form: Form {
        if case .jwt = content { .jwt } else { .cwt }
    }

    private init(_ content: Content, _ encodedBytes: [UInt8]) {
        self.content = content
        self.encodedBytes = encodedBytes
    }

    /// Reads a token of either form.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, ``StatusListError/Code/limitExceeded``.
    public init(_ bytes: [UInt8], form: Form, limits: StatusListLimits = .default) throws(StatusListError) {
        switch form {
        case .jwt: try self.init(jwt: bytes, limits: limits)
        case .cwt: try self.init(cwt: bytes, limits: limits)
        }
    }

    /// Reads a token in JWT form: the compact serialization.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, ``StatusListError/Code/limitExceeded``.
    public init(jwt text: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let text = Array(text)
        do {
            self.init(.jwt(try JWT(compact: text, limits: limits.jose)), text)
        } catch {
            throw StatusListError(error)
        }
    }

    /// Reads a token in CWT form: COSE_Sign1 or COSE_Mac0 with its tag, and without tag 61 outside.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, ``StatusListError/Code/limitExceeded``.
    public init(cwt bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let bytes = Array(bytes)
        let message: COSETaggedMessage
        do {
            message = try COSETaggedMessage(decoding: bytes, options: limits.cose)
        } catch {
            throw StatusListError(error)
        }
        switch message {
        case .sign1(let message): self.init(.sign1(message), bytes)
        case .mac0(let message): self.init(.mac0(message), bytes)
        default:
            throw StatusListError(.malformed, "a \(message.messageType) is no status list token", path: ["token"])
        }
    }

    /// Takes a JWT that was made.
    ///
    /// - Throws: ``StatusListError/Code/malformed`` for one that has no compact serialization.
    public init(_ jwt: JWT) throws(StatusListError) {
        do {
            self.init(.jwt(jwt), Array(try jwt.compactSerialization().utf8))
        } catch {
            throw StatusListError(error)
        }
    }

    /// Takes a signed message that was made.
    public init(_ message: COSESign1) {
        self.init(.sign1(message), message.encoded())
    }

    /// Takes an authenticated message that was made.
    public init(_ message: COSEMac0) {
        self.init(.mac0(message), message.encoded())
    }

    /// The unverified key identifier of the header (`kid`), for finding the key, or nil.
    ///
    /// - Throws: ``StatusListError/Code/malformed`` for a value of another type.
    public func unverifiedKeyID() throws(StatusListError) -> [UInt8]? {
        switch content {
        case .jwt(let jwt): try Self.keyID(of: jwt)
        case .sign1(let message): try Self.keyID(in: message.headers)
        case .mac0(let message): try Self.keyID(in: message.headers)
        }
    }

    private static func keyID(of jwt: JWT) throws(StatusListError) -> [UInt8]? {
        do {
            return try jwt.unverifiedHeader().keyID().map { Array($0.utf8) }
        } catch {
            throw StatusListError(error)
        }
    }

    private static func keyID(in headers: COSEHeaders) throws(StatusListError) -> [UInt8]? {
        do {
            return try headers.keyID().map { Array($0) }
        } catch {
            throw StatusListError(error)
        }
    }
}
