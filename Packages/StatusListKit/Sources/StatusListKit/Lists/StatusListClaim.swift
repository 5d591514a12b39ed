public import CBORKit
import JOSEKit
public import JSONKit

/// A list in a token: the structure `StatusList` (Token Status List, sections 4.2 and 4.3).
public struct StatusListClaim: Hashable, Sendable {
    /// The list.
    public var list: StatusList
    /// The address at which the same issuer enumerates its lists (`aggregation_uri`), or nil.
    public var aggregationURI: String?

    /// A list, and perhaps where others are enumerated.
    public init(_ list: StatusList, aggregationURI: String? = nil) {
        self.list = list
        self.aggregationURI = aggregationURI
    }
}

extension StatusListClaim {
    /// Reads the JSON form (Token Status List, section 4.2).
    ///
    /// - Throws: ``StatusListError/Code/malformed`` for a member that is missing or of another type,
    ///   ``StatusListError/Code/unsupportedBits``, ``StatusListError/Code/invalidCompression``,
    ///   ``StatusListError/Code/limitExceeded``.
    public init(json: JSONValue, limits: StatusListLimits = .default) throws(StatusListError) {
        guard let members = json.objectValue else { throw Self.expected("an object", at: []) }
        guard let number = members["bits"]?.numberValue, let bits = try? number.integer(as: Int.self) else {
            throw Self.expected("an integer", at: ["bits"])
        }
        guard let text = members["lst"]?.stringValue else { throw Self.expected("a string", at: ["lst"]) }
        let compressed: ArraySlice<UInt8>
        do {
            compressed = try Base64URL.decode(text)[...]
        } catch {
            throw StatusListError(.malformed, error.message, path: ["status_list", "lst"], cause: error)
        }
        list = try StatusList(decompressing: compressed, bits: StatusList.bits(bits), limits: limits)
        aggregationURI = members["aggregation_uri"]?.stringValue
        guard aggregationURI != nil || !members.contains("aggregation_uri") else {
            throw Self.expected("a string", at: ["aggregation_uri"])
        }
    }

    /// The JSON form, with the list compressed as much as possible.
    ///
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a list that zlib cannot take.
    public func json() throws(StatusListError) -> JSONValue {
        var members = JSONObject([
            ("bits", .integer(list.bits.rawValue)), ("lst", .string(Base64URL.encode(try list.compressed()))),
        ])
        members["aggregation_uri"] = aggregationURI.map { .string($0) }
        return .object(members)
    }

    static func expected(_ what: String, at path: [String]) -> StatusListError {
        StatusListError(.malformed, "\(what) is expected", path: ["status_list"] + path)
    }
}

extension StatusListClaim {
    /// Reads the CBOR form (Token Status List, section 4.3).
    ///
    /// - Throws: ``StatusListError/Code/malformed`` for a member that is missing or of another type,
    ///   ``StatusListError/Code/unsupportedBits``, ``StatusListError/Code/invalidCompression``,
    ///   ``StatusListError/Code/limitExceeded``.
    public init(cbor view: CBORView, limits: StatusListLimits = .default) throws(StatusListError) {
        let bits: Int
        let compressed: ArraySlice<UInt8>
        do {
            let members = try view.map()
            bits = try members.required("bits").integer(as: Int.self)
            compressed = try members.required("lst").bytes()
            aggregationURI = try members.value(forKey: "aggregation_uri")?.text()
        } catch {
            throw StatusListError(.malformed, error.message, path: ["status_list"], cause: error)
        }
        list = try StatusList(decompressing: compressed, bits: StatusList.bits(bits), limits: limits)
    }

    /// The CBOR form, with the list compressed as much as possible.
    ///
    /// - Throws: ``StatusListError/Code/limitExceeded`` for a list that zlib cannot take.
    public func cbor() throws(StatusListError) -> CBOR {
        var members: CBORMap = ["bits": .integer(list.bits.rawValue), "lst": .bytes(try list.compressed())]
        if let aggregationURI { members["aggregation_uri"] = .text(aggregationURI) }
        return .map(members)
    }
}
