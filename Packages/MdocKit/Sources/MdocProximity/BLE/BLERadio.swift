import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The Bluetooth Low Energy of an app: what finds the other side and connects to it.
///
/// An app implements it over CoreBluetooth, Android's Bluetooth or BlueZ. ``BLEMdocConnector`` opens a reader's channels
/// with it, ``openTransport(for:mode:options:engagement:maximumMessageSize:)`` those of either side.
public protocol BLERadio: Sendable {
    /// Finds the peripheral that advertises a service, connects to it, discovers the service's characteristics and asks
    /// for a large MTU.
    ///
    /// - Parameters:
    ///   - service: The UUID of the service.
    ///   - mode: The mode, which decides the characteristics.
    /// - Throws: Any error if that cannot be. Must end soon when its task is cancelled.
    func connect(toService service: UUID, mode: BLEMode) async throws -> any BLEClientLink

    /// Publishes and advertises a service, and waits until a central uses it: has connected, or has opened an L2CAP
    /// channel.
    ///
    /// A reader's radio that has L2CAP gives its channel in ``BLECharacteristic/l2capPSM``, a wallet's in the engagement
    /// too (``BLEOptions/l2capPSM``).
    ///
    /// - Parameters:
    ///   - service: The UUID of the service.
    ///   - mode: The mode, which decides the characteristics.
    ///   - ident: The value of ``BLECharacteristic/ident`` for clients; nil for a service without it.
    /// - Throws: Any error if that cannot be. Must end soon when its task is cancelled.
    func publish(service: UUID, mode: BLEMode, ident: [UInt8]?) async throws -> BLEServerConnection
}

/// A client's connection to a published service.
public enum BLEServerConnection: Sendable {
    /// It uses the service's characteristics.
    case gatt(any BLELink)
    /// It opened the L2CAP channel.
    case l2cap(any L2CAPLink)
}
