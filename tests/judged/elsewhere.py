"""Reasons that other tests reach: the module of each, which names its code."""

from __future__ import annotations

ELSEWHERE: dict[str, tuple[str, ...]] = {
    "metrics/test_busy.py": (
        "core_not_used", "memory_bound_of_several", "memory_bound_transfers_only",
    ),
    "metrics/test_communication.py": (
        "warmup_dropped", "checkpoint_dropped", "no_communication_rows", "all_steps_left_out",
        "collective_far_above_median", "steps_without_collectives", "no_transit_or_wait",
        "table_without_rows", "sdma_repeats_hccs", "link_without_time", "packets_not_recorded",
        "groups_not_told", "group_rows_not_told",
    ),
    "metrics/test_frequency.py": (
        "trace_cut", "level0_zero_times", "pmu_clock_unknown", "pmu_clock_rows_left_out",
        "pmu_clock_off_nominal", "frequency_not_of_device", "frequency_below_nominal",
        "frequency_changes_not_collected",
    ),
    "metrics/test_frequency_drop.py": (
        "no_kernel_ran", "cores_not_recorded", "keep_info_json", "frequency_out_of_range",
        "frequency_changes_unknown",
    ),
    "metrics/test_generated.py": (
        "rows_outside_steps", "one_step_only", "source_without_counters", "source_without_steps",
    ),
    "metrics/test_host.py": (
        "parts_left_out", "api_calls_nest", "no_graph_iterations", "no_successive_iterations",
        "iterations_not_successive",
    ),
    "metrics/test_memory.py": (
        "table_missing", "export_again", "no_module_holds_memory",
    ),
    "metrics/test_memory_bound_share.py": (
        "pmu_other_columns", "memory_bound_without_computing", "cores_apart", "memory_bound_share_left_out",
        "memory_bound_share_at_limit",
    ),
    "metrics/test_right_values.py": (
        "single_kernel_shares",
    ),
    "reading/test_profiler_db.py": (
        "pmu_unreadable", "frequency_of_one_die",
    ),
    "reading/test_refusals.py": (
        "capture_aborted", "table_unreadable", "other_export",
    ),
    "reading/test_ribs.py": (
        "iterations_left_out",
    ),
    "reading/test_trace_json.py": (
        "frequency_dies_differ",
    ),
    "reading/test_trace_kernels.py": (
        "trace_communication_left_out",
    ),
    "report/test_bottleneck_section.py": (
        "sign_inflating_switch", "sign_format_nhwc",
    ),
    "report/test_sections.py": (
        "last_line_without_end", "needs_option",
    ),
    "run_logs/test_aisbench.py": (
        "log_empty_rows", "log_context_differs", "log_context_several", "aisbench_stable_with_failures",
        "aisbench_stable_too_short", "aisbench_stable_unproven", "aisbench_retries",
    ),
    "run_logs/test_front_ends.py": (
        "log_clock_seconds", "log_resolution_coarse", "log_whole_run_means", "verl_tokens_vary",
        "modelzoo_script_formula",
    ),
    "run_logs/test_mindformers.py": (
        "log_lines_twice", "log_steps_without_update", "mindspore_epoch_means", "mindspore_first_epoch",
    ),
    "run_logs/test_mindie.py": (
        "log_part_missing", "log_figures_missing", "log_not_measured", "log_mean_above_p99", "mindie_rows_inferred",
    ),
    "run_logs/test_om.py": (
        "log_profiled_run", "om_excludes_copies", "om_batch_guessed", "om_input_zeros", "om_input_unknown",
        "om_several_summaries",
    ),
    "run_logs/test_steps_table.py": (
        "log_keys_unread", "log_last_row", "log_checkpoint_rows", "log_warm_up_rows",
    ),
    "run_logs/test_training.py": (
        "log_other_runs", "log_ramp_up", "log_skipped", "log_skipped_iterations", "log_partial_lines",
        "log_interval_unknown", "log_lines_missing", "log_interval_mean", "log_running_mean",
        "log_not_a_real_workload", "log_memory_early", "log_memory_since_start",
    ),
    "run_logs/test_vllm.py": (
        "log_records_cut", "log_lists_differ", "log_lists_unreadable", "log_failed_requests",
        "log_requests_failed", "log_withheld", "log_texts_not_kept", "log_block_cut", "log_two_decimals",
        "log_no_service", "log_witness_only", "log_dummy_weights", "log_requests_waited",
        "log_prefix_cache_hits",
    ),
    "test_accuracy.py": (
        "accuracy_score_within", "accuracy_score_beyond", "accuracy_typed_contradicts", "accuracy_not_at",
        "accuracy_curve_within", "accuracy_max_beyond", "accuracy_mean_beyond", "accuracy_same_file",
        "accuracy_no_common_steps", "accuracy_uncounted", "accuracy_one_sided", "accuracy_before_zero",
        "accuracy_range", "curve_several", "curve_runs", "accuracy_missing", "accuracy_not_shown_met",
        "accuracy_not_met", "accuracy_undecided",
    ),
    "test_applicability.py": (
        "first_rule_not_so", "value_at_limit",
    ),
    "test_attribution.py": (
        "parts_not_measured", "parts_bounded_differently", "part_on_one_side", "parts_do_not_add_up",
    ),
    "test_bottleneck.py": (
        "pmu_not_collected", "checkpoint_steps_not_stated", "shares_describe_the_load",
        "first_rule_exceeded", "no_limit_exceeded", "share_in_no_statement", "largest_share_no_limit",
        "largest_share_tied", "bottleneck_moved", "bottleneck_same", "computes_longer", "transfers_longer",
        "pipes_tied", "not_time_weighted", "every_pipe_within_limit", "nothing_told_inside",
    ),
    "test_compare.py": (
        "below_resolution", "both_zero",
    ),
    "test_diagnoses.py": (
        "sign_pmu_missing", "sign_pmu_zero",
    ),
    "test_gates.py": (
        "inflation_no_unprofiled", "gate_failed", "gate_not_known",
    ),
    "test_law_of_logs.py": (
        "run_steps_shown", "run_steps_shown_of",
    ),
    "test_judge.py": (
        "values_missing",
    ),
    "test_known_spread.py": (
        "alike_given_twice", "alike_not_alike", "between_not_shown",
    ),
    "test_edited_runs.py": (
        "run_relations_differ", "run_steps_apart",
    ),
    "test_odd_runs.py": (
        "log_series_several", "log_of_two_cells", "log_of_two_cases", "log_of_another_load",
        "run_directories_differ",
    ),
    "test_operator_matches.py": (
        "match_renamed", "match_fused", "match_fused_together",
    ),
    "test_outside.py": (
        "single_run_stated", "single_run_bare",
    ),
    "test_repeats.py": (
        "same_capture", "same_capture_again", "captures_measured_differently", "captures_differ", "two_captures",
        "one_capture_on_a_side", "captures_alike", "captures_scatter", "steps_unknown",
    ),
    "test_operator_types.py": ("unlike_calls",),
    "test_run_comparisons.py": (
        "runs_differ", "one_figure_each", "one_run_against_several", "run_values_alike", "two_runs",
        "runs_scatter",
        "memory_reaches_apart", "run_without_partner", "run_without_figures",
    ),
    "test_samples.py": (
        "one_value_each", "one_value_on_a_side", "one_value", "non_positive", "high_autocorrelation",
    ),
    "test_thresholds.py": (
        "framework_unknown", "backend_unknown", "backend_outside", "framework_outside", "phase_unknown",
        "phase_excluded", "wait_events_found", "wait_events_not_searchable", "scope_matches",
    ),
    "test_run_times.py": ("runs_at_one_time",),
    "test_law_of_results.py": ("run_server_windows_missing",),
    "test_tricks.py": (
        "runs_not_shown_alike", "runs_not_alike_nor_shown",
        "runs_not_alike", "case_runs_not_alike", "run_fact_differs", "run_fact_one_side", "run_arguments_missing",
        "run_arguments_missing_both", "run_single_token_answers", "run_failed_requests", "failures_over_ceiling",
        "run_cold_one_side", "run_cold_both", "run_warm_up_not_stated", "run_steps_left_out",
        "run_server_not_witnessed", "run_prefix_cache_hits", "run_dummy_weights", "run_server_ran_more",
        "run_one_server_start", "run_results_beside", "log_short_steps",
        "run_load_apart", "run_load_not_reached", "run_load_not_reached_both",
    ),
    "test_tricks_of_captures.py": (
        "before_below_default", "both_below_default", "after_below_default",
    ),
}  # fmt: skip
