public import MdocKit

/// A GATT connection between a wallet and a reader, as the radio of an app gives it.
///
/// An app implements it over CoreBluetooth, Android's Bluetooth or BlueZ, once for the side that is the GATT server and
/// once for the client (``BLEClientLink``); ``BLEMdocTransport`` makes a channel for sessions of it. Finding the other
/// side, connecting, discovering the service and its characteristics (``BLECharacteristics``) and negotiating the MTU
/// come before.
///
/// ```swift
/// let (values, continuation) = AsyncThrowingStream<BLEAttributeValue, any Error>.makeStream()
/// // in the radio's callbacks:
/// continuation.yield(BLEAttributeValue(.state, value))
/// continuation.finish()
/// ```
///
/// Values are sent one after the other; only ``close()`` is called at any time.
public protocol BLELink: Sendable {
    /// The negotiated ATT MTU in bytes, at least 23.
    var maximumTransmissionUnit: Int { get }

    /// The values that the other side writes or notifies, in order; ends with the connection.
    ///
    /// It is always the same stream.
    var values: AsyncThrowingStream<BLEAttributeValue, any Error> { get }

    /// Sends a value: a client writes it without response, a server notifies it.
    ///
    /// Returns as soon as the radio can take the next one (CoreBluetooth's `canSendWriteWithoutResponse` and
    /// `peripheralManagerIsReady(toUpdateSubscribers:)`).
    ///
    /// - Parameters:
    ///   - value: At most three bytes less than the MTU.
    ///   - characteristic: The characteristic to write or notify.
    /// - Throws: Any error if the value cannot be sent, as soon as the connection is lost or closed.
    func send(_ value: [UInt8], to characteristic: BLECharacteristic) async throws

    /// Ends the connection after all sent values, and with it ``values``. Closing it again does nothing.
    func close() async
}

/// The GATT connection of the side that is the client.
public protocol BLEClientLink: BLELink {
    /// Asks for the notifications of a characteristic; returns when the server has agreed.
    ///
    /// - Parameter characteristic: ``BLECharacteristic/state`` or ``BLECharacteristic/serverToClient``.
    func subscribe(to characteristic: BLECharacteristic) async throws

    /// Reads the value of a characteristic; nil if the server does not have it.
    ///
    /// - Parameter characteristic: ``BLECharacteristic/ident`` or ``BLECharacteristic/l2capPSM``.
    func read(_ characteristic: BLECharacteristic) async throws -> [UInt8]?

    /// Opens an L2CAP channel over the connection, which ends with the channel; nil if the radio has no L2CAP, as
    /// without this method.
    ///
    /// - Parameter psm: The server's channel.
    func openL2CAPChannel(psm: UInt32) async throws -> (any L2CAPLink)?
}

extension BLEClientLink {
    /// A radio without L2CAP.
    public func openL2CAPChannel(psm: UInt32) async throws -> (any L2CAPLink)? { nil }

    /// The L2CAP channel that the server offers in its service; nil if it offers none (ISO/IEC 18013-5 second edition,
    /// 11.1.4).
    ///
    /// - Throws: `MdocError` with code `malformedBLEData` if the value is not a PSM, or `transportFailed`.
    public func l2capPSM() async throws(MdocError) -> UInt32? {
        let value: [UInt8]?
        do {
            value = try await read(.l2capPSM)
        } catch {
            throw .linkFailed(error)
        }
        return try value.map(BLEPSM.decode)
    }
}
