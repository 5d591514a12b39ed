import CBORKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How to reach a wallet over Bluetooth Low Energy (ISO/IEC 18013-5, 9.2.1).
public struct BLEOptions: Hashable, Sendable {
    /// The service UUID for the wallet as GATT server; nil where it does not offer that mode or gives none.
    public let peripheralServerUUID: UUID?
    /// The service UUID for the wallet as GATT client; nil where it does not offer that mode or gives none.
    public let centralClientUUID: UUID?
    /// Whether the wallet can be the GATT server.
    public let supportsPeripheralServer: Bool
    /// Whether the wallet can be the GATT client.
    public let supportsCentralClient: Bool
    /// The wallet's Bluetooth address, if it gives one.
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
    init(_ view: CBORView, _ reading: inout Reading) throws(MdocError) {
        let map = try cbor(view.map())
        supportsPeripheralServer = try cbor(map.required(0).bool())
        supportsCentralClient = try cbor(map.required(1).bool())
        peripheralServerUUID = try Self.uuid(10, in: map)
        centralClientUUID = try Self.uuid(11, in: map)
        address = try map.value(forKey: 20).map { (view) throws(MdocError) in [UInt8](try cbor(view.bytes())) }
        l2capPSM = try map.value(forKey: 21).map { (view) throws(MdocError) in try cbor(view.integer()) }
    }

    /// A UUID in the byte order of RFC 4122.
    private static func uuid(_ key: Int, in map: CBORMapView) throws(MdocError) -> UUID? {
        guard let view = map.value(forKey: key) else { return nil }
        let bytes = try cbor(view.bytes())
        guard bytes.count == 16 else {
            throw MdocError(.invalidValue, "a UUID has 16 bytes, not \(bytes.count)", at: view)
        }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
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
            writer.write(bytes: withUnsafeBytes(of: value.uuid) { [UInt8]($0) })
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
