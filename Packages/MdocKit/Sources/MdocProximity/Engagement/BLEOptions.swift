package import CBORKit
package import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The side that is the GATT server of a transaction over Bluetooth Low Energy (ISO/IEC 18013-5, 11.1.1).
public enum BLEMode: String, Hashable, Sendable, CaseIterable {
    /// The wallet is the peripheral and the GATT server.
    case peripheralServer
    /// The wallet is the central and the GATT client; the reader is the GATT server.
    case centralClient

    /// Returns `true` if a side is the GATT client, which connects and starts the exchange.
    public func isClient(_ role: SessionEncryption.Role) -> Bool {
        (self == .centralClient) == (role == .device)
    }
}

/// The parameters for reaching a wallet over Bluetooth Low Energy (ISO/IEC 18013-5, 9.3 and 11.1.2).
public struct BLEOptions: Hashable, Sendable {
    /// The service UUID for the wallet as GATT server; nil if it does not offer that mode.
    public let peripheralServerUUID: UUID?
    /// The service UUID for the wallet as GATT client; nil if it does not offer that mode.
    public let centralClientUUID: UUID?
    /// Indicates that the wallet can be the GATT server.
    public let supportsPeripheralServer: Bool
    /// Indicates that the wallet can be the GATT client.
    public let supportsCentralClient: Bool
    /// The wallet's Bluetooth address, if it gives one: six bytes, the lowest first, and one for its type (0 public,
    /// 1 random), which deployed code leaves out.
    public let address: [UInt8]?
    /// The L2CAP channel of the wallet as GATT server, if it offers one.
    public let l2capPSM: UInt32?

    /// Offers the modes for which there is a UUID.
    public init(
        peripheralServerUUID: UUID?,
        centralClientUUID: UUID?,
        address: [UInt8]? = nil,
        l2capPSM: UInt32? = nil
    ) {
        self.peripheralServerUUID = peripheralServerUUID
        self.centralClientUUID = centralClientUUID
        supportsPeripheralServer = peripheralServerUUID != nil
        supportsCentralClient = centralClientUUID != nil
        self.address = address
        self.l2capPSM = l2capPSM
    }
}

extension BLEOptions: MdocReadable {
    package init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        supportsPeripheralServer = try cbor(map.required(0).bool())
        supportsCentralClient = try cbor(map.required(1).bool())
        let uuids = (try Self.uuid(10, in: map), try Self.uuid(11, in: map))
        let address = try map.value(forKey: 20).map { (view) throws(MdocError) in [UInt8](try cbor(view.bytes())) }
        let psm: UInt32? = try map.value(forKey: 21).map { (view) throws(MdocError) in try cbor(view.integer()) }
        peripheralServerUUID = supportsPeripheralServer ? uuids.0 : nil
        centralClientUUID = supportsCentralClient ? uuids.1 : nil
        self.address = supportsPeripheralServer ? address : nil
        l2capPSM = supportsPeripheralServer ? psm : nil
        guard !modes.isEmpty else { throw MdocError(.invalidValue, "BLE options offer no mode", at: view) }
        guard modes.allSatisfy({ serviceUUID(for: $0) != nil }) else {
            throw MdocError(.invalidValue, "a BLE mode is offered without a UUID", at: view)
        }
        guard (6...7).contains(address?.count ?? 7) else {
            throw MdocError(.invalidValue, "a BLE address has six or seven bytes", at: view)
        }
        // Address and L2CAP channel are those of a wallet that is the peripheral.
        if (peripheralServerUUID, centralClientUUID) != uuids || self.address != address || l2capPSM != psm {
            try reading.tolerate(.foreignBLEOptions, at: view)
        }
    }

    /// A UUID in the byte order of RFC 4122.
    private static func uuid(_ key: Int, in map: CBORMapView) throws(MdocError) -> UUID? {
        guard let view = map.value(forKey: key) else { return nil }
        let bytes = try cbor(view.bytes())
        guard let uuid = UUID(bytes: [UInt8](bytes)) else {
            throw MdocError(.invalidValue, "a UUID has 16 bytes, not \(bytes.count)", at: view)
        }
        return uuid
    }

    /// Writes the structure.
    func encode(to writer: inout CBORWriter) {
        let uuids = [(key: UInt64(10), value: peripheralServerUUID), (key: 11, value: centralClientUUID)]
        let optional = uuids.count { $0.value != nil } + (address == nil ? 0 : 1) + (l2capPSM == nil ? 0 : 1)
        writer.beginMap(count: 2 + optional)
        writer.write(unsigned: 0)
        writer.write(bool: supportsPeripheralServer)
        writer.write(unsigned: 1)
        writer.write(bool: supportsCentralClient)
        for (key, value) in uuids {
            guard let value else { continue }
            writer.write(unsigned: key)
            writer.write(bytes: value.bytes)
        }
        if let address {
            writer.write(unsigned: 20)
            writer.write(bytes: address)
        }
        if let l2capPSM {
            writer.write(unsigned: 21)
            writer.write(integer: l2capPSM)
        }
    }
}

extension BLEOptions {
    /// The modes that the wallet offers.
    public var modes: Set<BLEMode> {
        Set(BLEMode.allCases.filter { supports($0) })
    }

    /// Returns `true` if the wallet offers a mode.
    public func supports(_ mode: BLEMode) -> Bool {
        mode == .peripheralServer ? supportsPeripheralServer : supportsCentralClient
    }

    /// The service UUID for a mode; nil if the wallet does not offer it.
    public func serviceUUID(for mode: BLEMode) -> UUID? {
        mode == .peripheralServer ? peripheralServerUUID : centralClientUUID
    }

    /// The mode that a reader takes, or nil if the wallet offers none that the reader supports.
    ///
    /// Of two offered modes it is mdoc central client mode (ISO/IEC 18013-5, 11.1.3.1).
    public func preferredMode(among modes: Set<BLEMode> = Set(BLEMode.allCases)) -> BLEMode? {
        [.centralClient, .peripheralServer].first { supports($0) && modes.contains($0) }
    }
}
