public import CBORKit

/// Header parameters for lookup: one bucket, or both of a layer.
///
/// ``COSEHeaders`` looks into the protected bucket first. A parameter in the unprotected bucket is chosen by the last
/// sender of the bytes. Where security depends on it, ask the protected bucket alone.
public protocol COSEHeaderParameters: Sendable {
    /// The value of a parameter, or nil if it is absent.
    ///
    /// - Throws: ``COSEError/Code/invalidHeader`` for a value that was built here and cannot be encoded.
    func parameter(_ label: COSELabel) throws(COSEError) -> CBORView?

    /// The algorithm (`alg`), or nil if it is absent.
    ///
    /// - Throws: ``COSEError/Code/unsupportedAlgorithm`` for a text identifier: none is registered.
    func algorithm() throws(COSEError) -> COSEAlgorithm?
}

/// The value of `content type` and `typ`: a CoAP content format or a media type (RFC 9052 section 3.1, RFC 9596).
public enum COSEContentType: Hashable, Sendable {
    /// A number of the registry "CoAP Content-Formats", such as 61 for `application/cwt`.
    case coapContentFormat(UInt16)
    /// A media type, such as `application/cbor`.
    case mediaType(String)

    /// The value of the header parameter.
    public var cbor: CBOR {
        switch self {
        case .coapContentFormat(let number): .integer(number)
        case .mediaType(let text): .text(text)
        }
    }
}

/// The parameters of RFC 9052 section 3.1 and of its neighbors.
extension COSEHeaderParameters {
    /// The key identifier (`kid`), or nil if it is absent.
    public func keyID() throws(COSEError) -> ArraySlice<UInt8>? {
        try bytes(.kid, "kid")
    }

    /// The context of the key identifier (`kid context`, RFC 8613), or nil if it is absent.
    public func keyIDContext() throws(COSEError) -> ArraySlice<UInt8>? {
        try bytes(.kidContext, "kid context")
    }

    /// The full initialization vector (`IV`), or nil if it is absent.
    public func initializationVector() throws(COSEError) -> ArraySlice<UInt8>? {
        try bytes(.iv, "IV")
    }

    /// The changing part of the initialization vector (`Partial IV`), or nil if it is absent.
    public func partialInitializationVector() throws(COSEError) -> ArraySlice<UInt8>? {
        try bytes(.partialIV, "Partial IV")
    }

    /// The type of the content (`content type`), or nil if it is absent.
    public func contentType() throws(COSEError) -> COSEContentType? {
        try contentType(.contentType, "content type")
    }

    /// The type of the whole message (`typ`, RFC 9596), or nil if it is absent.
    public func type() throws(COSEError) -> COSEContentType? {
        try contentType(.type, "typ")
    }

    private func contentType(_ label: COSELabel, _ name: String) throws(COSEError) -> COSEContentType? {
        guard let view = try parameter(label) else { return nil }
        if view.kind == .textString {
            return .mediaType(try header(name) { () throws(CBORError) in try view.text() })
        }
        return .coapContentFormat(try header(name) { () throws(CBORError) in try view.integer(as: UInt16.self) })
    }

    /// The byte string of a parameter, or nil if it is absent.
    func bytes(_ label: COSELabel, _ name: String) throws(COSEError) -> ArraySlice<UInt8>? {
        guard let view = try parameter(label) else { return nil }
        return try header(name) { () throws(CBORError) in try view.bytes() }
    }

    /// Runs a step of reading a parameter, and turns what it throws into an error about it.
    func header<Value>(_ name: String, _ body: () throws(CBORError) -> Value) throws(COSEError) -> Value {
        do {
            return try body()
        } catch {
            throw COSEError(.invalidHeader, error.message, path: [name], cause: error)
        }
    }
}

extension COSEAlgorithm {
    /// Reads the value of `alg`.
    init(header view: CBORView) throws(COSEError) {
        if view.kind == .textString {
            let name = try reading("alg") { () throws(CBORError) in try view.text() }
            throw COSEError(.unsupportedAlgorithm, "\"\(name)\" is no registered identifier", path: ["alg"])
        }
        do {
            self.init(rawValue: try view.integer(as: Int.self))
        } catch {
            throw COSEError(.invalidHeader, error.message, path: ["alg"], cause: error)
        }
    }
}
