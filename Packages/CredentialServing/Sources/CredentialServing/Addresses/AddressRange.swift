public import CredentialTransport

/// The addresses with a common prefix, such as `10.0.0.0/8`.
public struct AddressRange: Hashable, Sendable {
    private let network: IPAddress
    private let length: Int

    /// Reads a block in the notation of CIDR (RFC 4632 section 3.1), or one address.
    ///
    /// - Throws: ``ServingError/Code/invalidAddressRange`` for a malformed range, and for an address with bits beyond the
    ///   prefix, such as `10.1.2.3/8`.
    public init(_ text: String) throws(ServingError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else {
            throw ServingError(.invalidAddressRange, "no address", path: [text])
        }
        network = address.withoutMapping
        let width = network.width
        guard parts.count == 2 else {
            length = width
            return
        }
        guard network == address, !parts[1].isEmpty, parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let length = Int(parts[1]), length <= width
        else { throw ServingError(.invalidAddressRange, "no length of a prefix", path: [text]) }
        self.length = length
        guard network.suffixIsZero(from: length) else {
            throw ServingError(.invalidAddressRange, "the address has bits beyond the prefix", path: [text])
        }
    }

    /// Returns `true` if an address is in the block; an address of version 4 that is mapped to version 6 is one of
    /// version 4.
    public func contains(_ address: IPAddress) -> Bool {
        switch (network, address.withoutMapping) {
        case (.v4(let network), .v4(let bits)): (network ^ bits) >> UInt32(32 - length) == 0
        case (.v6(let network), .v6(let bits)): (network ^ bits) >> UInt128(128 - length) == 0
        default: false
        }
    }
}

extension IPAddress {
    /// The address of version 4 for one that is mapped to version 6 (RFC 4291 section 2.5.5.2), and otherwise the address.
    package var withoutMapping: IPAddress {
        guard case .v6(let bits) = self, bits >> 32 == 0xffff else { return self }
        return .v4(UInt32(truncatingIfNeeded: bits))
    }

    fileprivate var width: Int {
        switch self {
        case .v4: 32
        case .v6: 128
        }
    }

    fileprivate func suffixIsZero(from length: Int) -> Bool {
        switch self {
        case .v4(let bits): bits << UInt32(length) == 0
        case .v6(let bits): bits << UInt128(length) == 0
        }
    }
}
