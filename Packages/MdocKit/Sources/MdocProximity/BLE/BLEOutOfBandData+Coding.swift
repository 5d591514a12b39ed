import CBORKit
public import MdocKit

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension BLEOutOfBandData {
    /// Reads a payload: structures of length, type and data, in any order.
    ///
    /// - Throws: `MdocError` with code `malformedBLEData` if a structure is cut off or has the wrong length, if there
    ///   is no role or an unknown one, more than one UUID, or a structure twice.
    public init(decoding payload: some Collection<UInt8>) throws(MdocError) {
        let payload = Array(payload)
        var reader = ByteReader(payload, of: "out-of-band data", refusing: .malformedBLEData)
        var role: Role?
        var uuid: UUID?
        var address: [UInt8]?
        var serviceData: ServiceData?
        var others: [OtherStructure] = []
        while reader.count > 0 {
            let structure = try reader.counted("structure")
            guard let type = structure.first else {
                throw MdocError(.malformedBLEData, "a structure of out-of-band data without a type")
            }
            let data = [UInt8](structure.dropFirst())
            switch type {
            case DataType.role: try Self.set(&role, try Self.role(data), "role")
            case DataType.serviceUUIDs: try Self.set(&uuid, try Self.uuid(data), "list of UUIDs")
            case DataType.address: try Self.set(&address, try Self.address(data), "address")
            case DataType.serviceData where serviceData == nil:
                serviceData = Self.serviceData(data)
                if serviceData == nil { others.append(OtherStructure(type: type, data: data)) }
            default: others.append(OtherStructure(type: type, data: data))
            }
        }
        guard let role else { throw MdocError(.malformedBLEData, "out-of-band data without a role") }
        try self.init(
            role: role,
            serviceUUID: uuid,
            address: address,
            serviceData: serviceData,
            otherStructures: others
        )
    }

    /// Returns `false` for a payload with a role that is defined later, such as a carrier has that this module cannot use.
    ///
    /// A payload that is malformed in any other way is for ``init(decoding:)`` to refuse.
    static func isKnownRole(in payload: [UInt8]) -> Bool {
        var reader = ByteReader(payload, of: "out-of-band data", refusing: .malformedBLEData)
        while reader.count > 0, let structure = try? reader.counted("structure") {
            guard structure.first == DataType.role, structure.count == 2, let value = structure.last else { continue }
            return Role(rawValue: value) != nil
        }
        return true
    }

    private static func set<Value>(_ member: inout Value?, _ value: Value, _ name: String) throws(MdocError) {
        guard member == nil else { throw MdocError(.malformedBLEData, "out-of-band data with a second \(name)") }
        member = value
    }

    private static func role(_ data: [UInt8]) throws(MdocError) -> Role {
        guard data.count == 1, let role = Role(rawValue: data[0]) else {
            throw MdocError(.malformedBLEData, "out-of-band data with an unknown role")
        }
        return role
    }

    /// One UUID, the lowest byte first.
    private static func uuid(_ data: [UInt8]) throws(MdocError) -> UUID {
        guard let uuid = UUID(bytes: data.reversed()) else {
            throw MdocError(.malformedBLEData, "out-of-band data with \(data.count) bytes of UUIDs instead of 16")
        }
        return uuid
    }

    private static func address(_ data: [UInt8]) throws(MdocError) -> [UInt8] {
        guard (6...7).contains(data.count) else {
            throw MdocError(.malformedBLEData, "out-of-band data with an address of \(data.count) bytes")
        }
        return data
    }

    /// A map with the channel under a service's number, the lowest byte first; nil for the data of other services.
    private static func serviceData(_ data: [UInt8]) -> ServiceData? {
        guard data.count > 2, let document = try? CBORDocument(data[2...], options: CBORReadingOptions()),
            let map = try? document.root.map()
        else { return nil }
        let psm: UInt32? = try? map.value(forKey: 0)?.integer()
        guard psm != nil || map.value(forKey: 0) == nil else { return nil }
        return ServiceData(serviceUUID: UInt16(data[1]) << 8 | UInt16(data[0]), l2capPSM: psm)
    }

    /// The payload: address, role, UUID, service data, and everything else.
    public var encodedBytes: [UInt8] {
        var structures: [(type: UInt8, data: [UInt8])] = []
        if let address { structures.append((DataType.address, address)) }
        structures.append((DataType.role, [role.rawValue]))
        if let serviceUUID { structures.append((DataType.serviceUUIDs, serviceUUID.bytes.reversed())) }
        if let serviceData { structures.append((DataType.serviceData, serviceData.encodedBytes)) }
        structures += otherStructures.map { ($0.type, $0.data) }
        return structures.flatMap { [UInt8(truncatingIfNeeded: $0.data.count + 1), $0.type] + $0.data }
    }
}

extension BLEOutOfBandData.ServiceData {
    /// The service's number, the lowest byte first, and a map with the channel under 0.
    var encodedBytes: [UInt8] {
        let map = CBORWriter.bytes { writer in
            writer.beginMap(count: l2capPSM == nil ? 0 : 1)
            guard let l2capPSM else { return }
            writer.write(unsigned: 0)
            writer.write(integer: l2capPSM)
        }
        return .bigEndian(serviceUUID.byteSwapped) + map
    }
}

extension UUID {
    /// A UUID in the byte order of RFC 4122; nil if there are not 16 bytes.
    init?(bytes: [UInt8]) {
        guard bytes.count == 16 else { return nil }
        self.init(
            uuid: (
                bytes[0], bytes[1], bytes[2], bytes[3], bytes[4], bytes[5], bytes[6], bytes[7],
                bytes[8], bytes[9], bytes[10], bytes[11], bytes[12], bytes[13], bytes[14], bytes[15]
            )
        )
    }

    /// The 16 bytes in the order of RFC 4122.
    var bytes: [UInt8] {
        let (b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15) = uuid
        return [b0, b1, b2, b3, b4, b5, b6, b7, b8, b9, b10, b11, b12, b13, b14, b15]
    }
}
