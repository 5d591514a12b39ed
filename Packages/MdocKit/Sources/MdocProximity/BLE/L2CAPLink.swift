import MdocKit

/// An L2CAP channel between a wallet and a reader, as the radio of an app gives it: a stream of bytes.
///
/// An app implements it over CoreBluetooth's `CBL2CAPChannel` or Android's `BluetoothSocket`; ``L2CAPMdocTransport``
/// makes a channel for sessions of it. One task may read while another writes.
public protocol L2CAPLink: Sendable {
    /// The next bytes, as many as are there; none once the other side has closed the channel.
    ///
    /// - Throws: Any error where nothing can be read. Must return or throw as soon as the channel is closed.
    func read() async throws -> [UInt8]

    /// Writes bytes, all of them.
    ///
    /// - Parameter bytes: Any number of bytes.
    /// - Throws: Any error where they cannot be written, as soon as the channel is lost or closed.
    func write(_ bytes: [UInt8]) async throws

    /// Closes the channel, after what was written before. Closing it again does nothing.
    func close() async
}
