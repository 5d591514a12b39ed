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
    ///   - mode: Which characteristics it has.
    /// - Throws: Any error where that cannot be. Must end soon when its task is cancelled.
    func connect(toService service: UUID, mode: BLEMode) async throws -> any BLEClientLink

    /// Publishes and advertises a service, and waits until a central has connected.
    ///
    /// - Parameters:
    ///   - service: The UUID of the service.
    ///   - mode: Which characteristics it has.
    ///   - ident: What a client reads from ``BLECharacteristic/ident``; nil where the service does not have it.
    /// - Throws: Any error where that cannot be. Must end soon when its task is cancelled.
    func publish(service: UUID, mode: BLEMode, ident: [UInt8]?) async throws -> any BLELink
}

extension BLERadio {
    /// Opens a channel over GATT to the other side.
    ///
    /// Where the connection is lost before the transaction has started it is made again, twice at most.
    ///
    /// - Parameters:
    ///   - role: The side that this is.
    ///   - mode: Who is the GATT server.
    ///   - options: What the wallet offers, with the UUID of the mode.
    ///   - engagement: What the wallet showed.
    ///   - maximumMessageSize: The largest message in bytes that is sent or taken.
    /// - Throws: ``MdocError`` with code `invalidValue` where the wallet does not offer the mode, or what
    ///   ``BLEMdocTransport/connect(over:mode:engagement:checksIdent:maximumMessageSize:)`` and
    ///   ``BLEMdocTransport/accept(over:mode:maximumMessageSize:)`` throw.
    public func openTransport(
        for role: SessionEncryption.Role,
        mode: BLEMode,
        options: BLEOptions,
        engagement: DeviceEngagement,
        maximumMessageSize: Int = MdocLimits().messageSize
    ) async throws(MdocError) -> BLEMdocTransport {
        guard let service = options.serviceUUID(for: mode) else {
            throw MdocError(.invalidValue, "the wallet does not offer \(mode)")
        }
        let ident = mode == .centralClient ? try engagement.bleIdent() : nil
        var attemptsLeft = 3
        while true {
            attemptsLeft -= 1
            let opening = try await connection(for: role, mode, service, ident)
            do throws(MdocError) {
                switch opening {
                case .client(let link):
                    return try await .connect(
                        over: link,
                        mode: mode,
                        engagement: engagement,
                        maximumMessageSize: maximumMessageSize
                    )
                case .server(let link):
                    return try await .accept(over: link, mode: mode, maximumMessageSize: maximumMessageSize)
                }
            } catch {
                guard error.code == .transportFailed, attemptsLeft > 0, !Task.isCancelled else { throw error }
            }
        }
    }

    /// A connection whose transaction has not started.
    private func connection(
        for role: SessionEncryption.Role,
        _ mode: BLEMode,
        _ service: UUID,
        _ ident: [UInt8]?
    ) async throws(MdocError) -> BLEOpening {
        do {
            return mode.isClient(role)
                ? .client(try await connect(toService: service, mode: mode))
                : .server(try await publish(service: service, mode: mode, ident: ident))
        } catch {
            throw .linkFailed(error)
        }
    }
}

/// A connection by the side that it is of.
private enum BLEOpening {
    case client(any BLEClientLink)
    case server(any BLELink)
}
