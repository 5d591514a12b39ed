public import CBORKit

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
