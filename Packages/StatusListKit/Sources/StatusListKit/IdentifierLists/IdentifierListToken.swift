import CBORKit
public import COSEKit

/// A signed identifier list, read and not verified (ISO/IEC 18013-5 second edition, 12.3.6).
///
/// It is a CWT: COSE_Sign1 with its tag 18. A listed credential is revoked.
public struct IdentifierListToken: Sendable {
    /// The token as received or made.
    public let encodedBytes: [UInt8]

    let message: COSESign1

    /// The media type, in the header `typ` and over HTTP.
    public static let mediaType = "application/identifierlist+cwt"

    /// Reads a token.
    ///
    /// - Throws: ``StatusListError/Code/malformed``, ``StatusListError/Code/limitExceeded``.
    public init(cwt bytes: some Collection<UInt8>, limits: StatusListLimits = .default) throws(StatusListError) {
        let bytes = Array(bytes)
        let message: COSETaggedMessage
        do {
            message = try COSETaggedMessage(decoding: bytes, options: limits.identifierListCOSE)
        } catch {
            throw StatusListError(error)
        }
        guard case .sign1(let message) = message else {
            throw StatusListError(.malformed, "a \(message.messageType) is no identifier list token", path: ["token"])
        }
        self.message = message
        encodedBytes = bytes
    }

    /// Takes a message that was made, such as the completion of ``IdentifierListContent/unsignedCWT(x5chain:algorithm:)``.
    public init(_ message: COSESign1) {
        self.message = message
        encodedBytes = message.encoded()
    }
}

extension StatusListLimits {
    /// The limits for reading the CBOR of an identifier list: every identifier is two items, with the empty map beside it.
    var identifierListCBOR: CBORReadingOptions {
        var options = CBORReadingOptions.default
        options.limits = CBORLimits(size: tokenSize, depth: 16, items: max(tokenSize / 2, 1))
        return options
    }

    fileprivate var identifierListCOSE: COSEReadingOptions { COSEReadingOptions(cbor: identifierListCBOR) }
}
