import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The characteristics of the service through which messages travel (ISO/IEC 18013-5, 11.1.3.2 and 11.1.4).
///
/// The service itself has the UUID of the transaction, see ``BLEOptions/serviceUUID(for:)``.
public struct BLECharacteristics: Hashable, Sendable {
    /// State: notify and write without response; see ``BLEConnection``.
    public let state: UUID
    /// Client2Server: write without response.
    public let clientToServer: UUID
    /// Server2Client: notify.
    public let serverToClient: UUID
    /// Ident: read; only the reader's service has it, see ``DeviceEngagement/bleIdent()``.
    public let ident: UUID?
    /// The L2CAP PSM: read; only where the server offers L2CAP too (second edition), see ``BLEPSM``.
    public let l2capPSM: UUID

    /// The Client Characteristic Configuration descriptor of State and Server2Client, a 16-bit UUID.
    public static let clientConfigurationDescriptor: UInt16 = 0x2902
    /// The value of that descriptor with which a client asks for notifications, as it travels (little-endian).
    public static let notificationsEnabled: [UInt8] = [0x01, 0x00]

    /// The characteristics of the wallet's or the reader's service, whichever is the GATT server in a mode.
    public init(_ mode: BLEMode) {
        switch mode {
        case .peripheralServer:
            state = Self.uuid(0x01)
            clientToServer = Self.uuid(0x02)
            serverToClient = Self.uuid(0x03)
            ident = nil
            l2capPSM = Self.uuid(0x0a)
        case .centralClient:
            state = Self.uuid(0x05)
            clientToServer = Self.uuid(0x06)
            serverToClient = Self.uuid(0x07)
            ident = Self.uuid(0x08)
            l2capPSM = Self.uuid(0x0b)
        }
    }

    /// 000000nn-A123-48CE-896B-4C76973373E6.
    private static func uuid(_ number: UInt8) -> UUID {
        UUID(
            uuid: (
                0, 0, 0, number, 0xa1, 0x23, 0x48, 0xce, 0x89, 0x6b, 0x4c, 0x76, 0x97, 0x33, 0x73, 0xe6
            )
        )
    }
}
