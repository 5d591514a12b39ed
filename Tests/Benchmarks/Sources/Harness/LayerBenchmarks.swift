/// The measurements of one layer.
public protocol LayerBenchmarks: Sendable {
    /// The module that is measured, as `scripts/bench LAYER` names it.
    static var layer: String { get }

    /// Takes the measurements and hands each figure over as it is known.
    static func run(_ stopwatch: Stopwatch, report: (Figure) -> Void) async throws
}
