public import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// One side's Bluetooth Low Energy parameters in a handover message: the payload of a record
/// `application/vnd.bluetooth.le.oob` (ISO/IEC 18013-5, 11.1.2).
public struct BLEOutOfBandData: Hashable, Sendable {
    /// The roles that the sender supports or selects.
    public enum Role: UInt8, Hashable, Sendable {
        /// Peripheral only.
        case peripheral = 0
        /// Central only.
        case central = 1
        /// Both, rather peripheral.
        case peripheralPreferred = 2
        /// Both, rather central.
        case centralPreferred = 3
    }

    /// Types of structures by the Bluetooth SIG's list.
    enum DataType {
        static let serviceUUIDs: UInt8 = 0x07
        static let serviceData: UInt8 = 0x16
        static let address: UInt8 = 0x1b
        static let role: UInt8 = 0x1c
    }

    /// Data of a service (second edition): an L2CAP channel under the service's number.
    public struct ServiceData: Hashable, Sendable {
        /// The service's 16-bit UUID; the Bluetooth SIG has not yet allocated one for this.
        public let serviceUUID: UInt16
        /// The L2CAP channel that the sender offers as a peripheral; nil if the data names none.
        public let l2capPSM: UInt32?

        /// Creates service data.
        public init(serviceUUID: UInt16, l2capPSM: UInt32?) {
            self.serviceUUID = serviceUUID
            self.l2capPSM = l2capPSM
        }
    }

    /// A structure that this module has no use for.
    public struct OtherStructure: Hashable, Sendable {
        /// The type by the Bluetooth SIG's list.
        public let type: UInt8
        /// The content.
        public let data: [UInt8]

        /// Creates a structure of at most 254 bytes.
        public init(type: UInt8, data: [UInt8]) {
            self.type = type
            self.data = data
        }
    }

    /// The sender's roles; the same mode is `central` from the wallet and `peripheral` from the reader.
    public let role: Role
    /// The UUID of the service, one for both modes; nil if the other side gives it.
    public let serviceUUID: UUID?
    /// The sender's address as it travels: six bytes, the lowest first, and one for its type (0 public, 1 random), which
    /// deployed code leaves out.
    public let address: [UInt8]?
    /// Data of a service, if there is any with the number of an L2CAP channel.
    public let serviceData: ServiceData?
    /// Everything else, in its order.
    public let otherStructures: [OtherStructure]

    /// Creates a payload.
    ///
    /// - Throws: `MdocError` with code `invalidValue` if the address has not six or seven bytes, or another structure
    ///   is too long or of a type that has its own parameter.
    public init(
        role: Role,
        serviceUUID: UUID? = nil,
        address: [UInt8]? = nil,
        serviceData: ServiceData? = nil,
        otherStructures: [OtherStructure] = []
    ) throws(MdocError) {
        guard (6...7).contains(address?.count ?? 7),
            otherStructures.allSatisfy({ $0.data.count <= 254 && !Self.isOwn($0.type) })
        else { throw MdocError(.invalidValue, "out-of-band data with an address or a structure of the wrong form") }
        self.role = role
        self.serviceUUID = serviceUUID
        self.address = address
        self.serviceData = serviceData
        self.otherStructures = otherStructures
    }

    private static func isOwn(_ type: UInt8) -> Bool {
        [DataType.role, DataType.serviceUUIDs, DataType.address].contains(type)
    }

    /// The role of a sender that offers some modes, at least one.
    static func role(offering modes: Set<BLEMode>, by sender: SessionEncryption.Role) -> Role {
        if modes.count > 1 { return sender == .device ? .centralPreferred : .peripheralPreferred }
        // In either mode, the GATT client is the central.
        return modes.contains { $0.isClient(sender) } ? .central : .peripheral
    }

    /// The modes that the payload offers.
    ///
    /// - Parameter sender: The sender of the payload.
    public func modes(from sender: SessionEncryption.Role) -> Set<BLEMode> {
        switch role {
        case .peripheral: Set(BLEMode.allCases.filter { !$0.isClient(sender) })
        case .central: Set(BLEMode.allCases.filter { $0.isClient(sender) })
        case .peripheralPreferred, .centralPreferred: Set(BLEMode.allCases)
        }
    }
}
